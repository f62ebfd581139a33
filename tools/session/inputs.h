/* SPDX-License-Identifier: Apache-2.0
 * inputs.h - gives every input of a model a value: from a file, or made up. */
#pragma once

#include "common/index.h"
#include "common/json.h"
#include "values/fill.h"
#include "files/tensor_file.h"
#include "session/image_args.h"

/* The options of the command line about inputs, as given. */
typedef struct input_args {
    args_list input, dim;
    int fill;   /* a fill_kind */
    size_t cap; /* most bytes of one file; 0: 4 GiB */
    image_args image;
    bool cast, quiet;
} input_args;

/* clang-format off */
#define INPUT_ARGS(a)                                                                              \
    ARGS_LETTER('i', "--input", ARGS_LIST, "[NAME=]FILE", &(a)->input,                             \
                "an input: .npy, .pb, a picture, small numbers in a .txt, .csv or .json\n"         \
                "or typed, as in [[640,480]]; without NAME the next in order; .npz or\n"           \
                "a folder of input_N.pb gives several; - is standard input"),                                           \
    ARGS_VALUE("--dim", ARGS_LIST, "NAME=N", &(a)->dim,                                            \
               "size of a symbolic dimension; INPUT:AXIS=N for one without a name"),               \
    {.name = "--fill", .kind = ARGS_CHOICE, .value = "random|zeros", .choices = fill_names,        \
     .out = &(a)->fill, .help = "make up the inputs that no file gives"},                          \
    ARGS_SWITCH("--cast", &(a)->cast, "convert numbers of another type to the model's"),           \
    ARGS_VALUE("--input-cap", ARGS_SIZE, "SIZE", &(a)->cap,                                        \
               "most bytes one input file may hold or unpack to; 4G"),                             \
    IMAGE_ARGS(&(a)->image),                                                                       \
    ARGS_LETTER('q', "--quiet", ARGS_FLAG, NULL, &(a)->quiet,                                      \
                "no remarks on how files became tensors")
/* clang-format on */

/* Returns how files are read and written under these arguments. OC_ARGUMENT when an option of
 * pictures is malformed. */
tensor_options input_args_options(const input_args *a, oc_error *e);
/* As input_args_options, without the options of pictures, which another part reads. */
tensor_options input_args_options_but_pictures(const input_args *a);
void input_args_free(input_args *a);

/* Returns the first --dim before number d of the list that names the dimension of number d; NULL
 * when there is none. Number d has its equals sign. */
const char *inputs_same_dim(const args_list *dims, int d);

/* Where the value of an input comes from, when that is a picture. */
typedef struct input_picture {
    char *path; /* NULL: no picture */
    image_fit fit;
    image seen; /* a copy of the picture as it is seen, where inputs.keeps_seen */
} input_picture;

typedef struct inputs {
    const oc_model *model;
    tensor_options options;
    int n;
    /* one for each input of the model; NULL: no value is given, and its default counts, if any */
    oc_value **value;
    input_picture *picture;
    bool keeps_seen; /* true: pictures stay in memory as they are seen */
    /* map inputs by name, and by the name of a member of an archive, to indices */
    text_index names, members;
    /* where next_input searches on: all inputs before next[1] have a value; all before next[0] a
     * value or a default */
    int next[2];
    int open;    /* the first input whose value is given later, for each run; -1: there is none */
    int *beside; /* the other such inputs */
    int n_beside;
} inputs;

/* Returns inputs without values; model must outlive them. Free with inputs_free. */
inputs inputs_new(const oc_model *model, const tensor_options *options);
void inputs_free(inputs *in);

/* Leaves the input of that name open: its value is given later. NULL stands for the only input
 * without a default that no -i names. OC_ARGUMENT when there is no such input. */
void inputs_leave_open(inputs *in, const char *name, const input_args *a, oc_error *e);
/* As inputs_leave_open for n inputs, at least one; of their names at most one is NULL. */
void inputs_leave_all_open(inputs *in, const char *const *name, int n, const input_args *a,
                           oc_error *e);
/* Checks --dim, reads the files that -i names, and makes up the other inputs without a default
 * if --fill asks for it. OC_ARGUMENT when some input then has neither value nor default; the
 * error lists all of them. */
void inputs_gather(inputs *in, const input_args *a, uint64_t seed, oc_error *e);
/* Reads dir/input_N.pb for N = 0, 1 ... until a file is missing. A value goes to the input whose
 * name is stored in the file; if there is no such input, to the next one without a value. */
void inputs_read_dir(inputs *in, const char *dir, oc_error *e);
/* Checks --dim. Writes what each input is to port: as the model declares it, with the sizes of
 * --dim and the dims of its value, if it has one. */
void inputs_ports(const inputs *in, const input_args *a, oc_port *port, oc_error *e);
/* OC_TYPE, with a hint at --cast, when v has numbers of another type than the port, an input. */
void inputs_check_type(const oc_port *port, const oc_value *v, oc_error *e);
/* Writes the member "pictures": the inputs whose values are pictures, and how each photograph lies
 * in its input. Writes nothing when there is none. */
void inputs_json_pictures(const inputs *in, json_writer *j);
/* Binds the values to the inputs of the session; *in must outlive its runs. */
void inputs_bind(const inputs *in, oc_session *session, oc_error *e);

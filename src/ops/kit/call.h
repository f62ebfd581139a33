/* SPDX-License-Identifier: Apache-2.0
 * call.h - the inside of an oc_call: what the runtime fills and call_run.c reads. Operator files
 * see only op.h. */
#pragma once

#include "ops/kit/op.h"
#include "ops/signature/sig.h"

/* What operators ask of the runtime. One for each session. */
typedef struct oc_services {
    oc_pool *pool;
    oc_arena *strings; /* owns the string elements that this run makes */
    oc_arena *kept;    /* of the session: what calls keep for the next run */
    oc_error *error;
    oc_watch *watch; /* of the call of the host */
    oc_parallel parallel;
    int threads;
    unsigned cpu;
    bool exact_conv; /* no algorithm of Winograd's */
    uint64_t seed;
    oc_image_decoder image_decoder;
    void *runtime; /* the first argument of the functions below */
    oc_status (*run_graph)(void *runtime, const oc_call *c, int attr, const oc_value *in, int n_in,
                           oc_value *out, int n_out);
    void (*graph_ports)(const oc_call *c, int attr, int *n_in, int *n_out);
    void (*graph_port)(const oc_call *c, int attr, bool input, int i, oc_value *declared);
    oc_status (*graph_shapes)(void *runtime, const oc_call *c, int attr, const oc_value *in,
                              int n_in, oc_value *out, int n_out);
    void (*attr_type)(const oc_attr *attr, oc_value *declared);
    void (*remark)(void *runtime, const void *about, const char *line);
    /* Gives an output that has its type and dims memory of the host; false: it comes from the pool.
     * The function is NULL where the host has none for any. */
    bool (*room)(void *runtime, oc_value *out);
} oc_services;

/* Type and dims of a tensor, small, as each call reads some; of higher rank, or larger dims, none
 * is kept. Rank -1: nothing is known. */
enum { OC_KEPT_RANK = 6 };
typedef struct oc_kept_shape {
    oc_type type;
    int rank;
    int32_t n[OC_KEPT_RANK];
} oc_kept_shape;

/* What a version says of layouts and outputs where inputs are as here: what the plan knew, or what
 * the last call in a frame has seen. */
typedef struct oc_planned {
    bool is_set; /* else nothing is known */
    void *memo;  /* oc_call_memo; NULL: nobody has asked for it */
    size_t memo_size;
    oc_layouts layouts;
    oc_kept_shape port[]; /* of the inputs, then of the outputs */
} oc_planned;

/* The operator of one node, with its attributes: what is the same in all its calls. */
typedef struct oc_operator {
    const oc_op *version;
    const oc_sig *sig;
    const char *node; /* for messages: "node 'cat_3' (Concat-13)" */
    /* "'cat_3'", "of 'y'" for a node without a name, or "without a name" if it has no output
     * either. The numbers of random operators depend on each byte of this text: if the format
     * changes, they change under every seed. */
    const char *seed_name;
    const char *expect;   /* patterns of the inputs' dims (oc_node.expect); NULL: none */
    const oc_attr **attr; /* one per attribute of the signature; NULL: missing optional */
    int n_in, n_out;
    const void *prepared; /* what op->prepare made when the plan was made; NULL: nothing */
    bool hosts;           /* the version is one of the host's */
    bool wants_snapshot;  /* elements that tell sizes or places may change in a run (snapshot.c) */
    bool nchw16c;         /* the plan has it run in NCHW16c (layout.h) */
    bool by_dims;         /* the shape rule reads no elements but those of small constants */
    const oc_planned *planned; /* by_dims: what the plan knew; NULL: nothing */
    const int *code_limits;    /* the least and the greatest code that run may give; NULL: any */
} oc_operator;

/* What op->prepare may do and has done. */
typedef struct oc_keeping {
    oc_arena *arena;      /* the plan's memory */
    const void *prepared; /* taken from it last; NULL: nothing */
    bool consumed;        /* run needs no more of the inputs */
    uint32_t last;        /* bit i: nobody else reads input i, one of the first 32 */
} oc_keeping;

struct oc_call {
    const oc_operator *op;
    const oc_value *const *in; /* NULL: missing optional */
    oc_value *const *out;      /* NULL: missing */
    oc_services *services;
    oc_keeping *keep;                   /* while op->prepare runs; else NULL */
    const struct oc_epilogue *epilogue; /* of a producer, while it runs */
    const oc_stage *source; /* of the input that is read tile by tile, while this runs */
    oc_planned **seen;      /* where what this call sees is kept; NULL: nowhere */
    bool as_planned;        /* the inputs are as those of one of the two */
    bool running;           /* op->run has begun */
    uint32_t was_set;       /* bit i: oc_call_set_out has set output i, of the first 32 */
    atomic_bool has_tasks;  /* oc_call_run_tasks runs some */
    struct oc_scratch_block *scratch;
};

/* What is known of calls like this one; NULL: nothing. */
static inline const oc_planned *oc_call_planned(const oc_call *c)
{
    return c->seen ? *c->seen : c->op->planned;
}

/* Are the inputs as those of oc_call_planned? Sets c->as_planned. */
bool oc_call_compare(oc_call *c);
/* Keeps in **p what the version says of this call, whose shape rule has run, if it can be kept; *p
 * NULL: in memory of the arena, and it stays NULL where there is none. */
void oc_call_remember(oc_call *c, oc_arena *arena, oc_planned **p);

/* NULL: the version has none. */
static inline const oc_traits *oc_call_traits(const oc_call *c)
{
    return c->op->hosts ? NULL : c->op->version->context;
}

/* OC_OK, or the error of a watch that has ended, which nobody asks for it. */
static inline oc_status oc_call_ended(const oc_call *c)
{
    const oc_services *s = c->services;
    return oc_watch_ended(s->watch) ? oc_watch_error(s->watch, s->error) : OC_OK;
}

/* The buffer that the scratch memory taken last lies in. */
oc_buffer *oc_scratch_buffer(const oc_call *c);
/* Frees the scratch memory of a call that does not end by oc_call_run. */
void oc_call_release(oc_call *c);

/* The attribute's place in the signature, -1 without it. */
int oc_call_attr_index(const oc_call *c, const char *name);

/* Replaces inputs whose elements decide by copies, if c->op->wants_snapshot. */
oc_status oc_call_snapshot(oc_call *c);

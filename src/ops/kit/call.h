/* SPDX-License-Identifier: Apache-2.0
 * call.h - the inside of an oc_call: what the runtime fills and call_run.c reads. Operator files
 * see only op.h. */
#pragma once

#include "ops/kit/op.h"
#include "ops/signature/sig.h"

/* What operators ask of the runtime. Each session has one. */
typedef struct oc_services {
    oc_pool *pool;
    oc_arena *strings; /* owns the string elements that this run makes */
    oc_arena *kept;    /* the session's memory for what calls keep for the next run */
    oc_error *error;
    oc_watch *watch; /* the watch of the call that the host made */
    oc_parallel parallel;
    int threads;
    unsigned cpu;
    /* The call is made ahead of all runs: nobody reads the texts of its errors, and dims need only
     * fit in 64 bits, so that every machine learns as much of shapes. */
    bool quiet;
    const oc_session_options *options; /* the session's; while a plan is made, the plan's */
    void *runtime;                     /* the first argument of the functions below */
    oc_status (*run_graph)(void *runtime, const oc_call *c, int attr, const oc_value *in, int n_in,
                           oc_value *out, int n_out);
    void (*graph_ports)(const oc_call *c, int attr, int *n_in, int *n_out);
    void (*graph_port)(const oc_call *c, int attr, bool input, int i, oc_value *declared);
    oc_status (*graph_shapes)(void *runtime, const oc_call *c, int attr, const oc_value *in,
                              int n_in, oc_value *out, int n_out);
    void (*attr_type)(const oc_attr *attr, oc_value *declared);
    void (*remark)(void *runtime, const void *about, const char *line);
    /* Gives memory of the host to an output whose type and dims are set; false: the output takes
     * memory from the pool. The function is NULL if the host has memory for no output. */
    bool (*room)(void *runtime, oc_value *out);
} oc_services;

/* Type and dims of a tensor in few bytes, since each call reads several. Higher ranks and larger
 * dims are not kept. Rank -1: nothing is known. */
enum { OC_KEPT_RANK = 6 };
typedef struct oc_kept_shape {
    oc_type type;
    int rank;
    int32_t n[OC_KEPT_RANK];
} oc_kept_shape;

/* What a version says of layouts and outputs for inputs of these types and dims: those that the
 * plan knew, or those that the last call in a frame has seen. */
typedef struct oc_planned {
    bool is_set; /* false: nothing is known */
    void *memo;  /* oc_call_memo; NULL: nobody has asked for it */
    size_t memo_size;
    oc_layouts layouts;
    oc_kept_shape port[]; /* first the inputs, then the outputs */
} oc_planned;

/* The operator of one node, with its attributes: what all its calls have in common. */
typedef struct oc_operator {
    const oc_op *version;
    const oc_sig *sig;
    const char *node; /* for messages: "node 'cat_3' (Concat-13)" */
    /* "'cat_3'", "of 'y'" for a node without a name, or "without a name" if it has no output
     * either. The numbers of random operators depend on each byte of this text: if the format
     * changes, they change under every seed. */
    const char *seed_name;
    const char *expect;   /* patterns of the inputs' dims (oc_node.expect); NULL: none */
    const oc_attr **attr; /* for each attribute of the signature; NULL: an optional one is
                           * missing */
    int n_in, n_out;
    const void *prepared; /* what op->prepare made when the plan was made; NULL: nothing */
    bool hosts;           /* the version is one of the host's */
    bool wants_snapshot;  /* elements that tell sizes or places may change in a run (snapshot.c) */
    bool nchw16c;         /* the plan has it run in NCHW16c (layout.h) */
    bool by_dims;         /* the shape rule reads no elements except those of small constants */
    const oc_planned *planned;   /* what the plan knew, if by_dims is set; NULL: nothing */
    const oc_stage_plan *stages; /* how stages run in calls as planned; NULL: each call decides */
    const int *code_limits; /* least and greatest code that the run may give; NULL: no limits */
} oc_operator;

/* What op->prepare may use, and what it has done. */
typedef struct oc_keeping {
    oc_arena *arena;      /* the plan's memory */
    const void *prepared; /* the memory taken last; NULL: none */
    bool consumed;        /* the run reads no more elements of the inputs */
    uint32_t last;        /* bit i is set if nobody else reads input i, of the first 32 */
} oc_keeping;

struct oc_call {
    const oc_operator *op;
    const oc_value *const *in; /* an entry is NULL if an optional input is missing */
    oc_value *const *out;      /* NULL: missing */
    oc_services *services;
    oc_keeping *keep;                   /* set while op->prepare runs, else NULL */
    const struct oc_epilogue *epilogue; /* the epilogue of a producer, set while the producer
                                         * runs */
    const oc_stage *source; /* the stage that makes the input read tile by tile, set while this call
                             * runs */
    oc_planned **seen;      /* where the call keeps what it sees; NULL: nowhere */
    bool as_planned;        /* types and dims of the inputs equal those of oc_call_planned */
    bool running;           /* op->run has begun */
    uint32_t was_set;       /* bit i is set after oc_call_set_out has set output i, of the first
                             * 32 */
    atomic_bool has_tasks;  /* oc_call_run_tasks is running tasks */
    struct oc_scratch_block *scratch;
};

/* Returns what is known of calls with such inputs; NULL: nothing. */
static inline const oc_planned *oc_call_planned(const oc_call *c)
{
    return c->seen ? *c->seen : c->op->planned;
}

/* Compares types and dims of the inputs with those of oc_call_planned, and sets c->as_planned. */
bool oc_call_compare(oc_call *c);
/* Keeps in **p what the version says of this call, whose shape rule has run, if its shapes can be
 * kept. If *p is NULL, it is allocated from the arena, and stays NULL if that fails. */
void oc_call_remember(oc_call *c, oc_arena *arena, oc_planned **p);

/* Returns NULL if the version has no traits. */
static inline const oc_traits *oc_call_traits(const oc_call *c)
{
    return c->op->hosts ? NULL : c->op->version->context;
}

/* Returns the error of the watch if it has ended, else OC_OK. The watch is not asked anew. */
static inline oc_status oc_call_ended(const oc_call *c)
{
    const oc_services *s = c->services;
    return oc_watch_ended(s->watch) ? oc_watch_error(s->watch, s->error) : OC_OK;
}

/* Are these dims of an input or output not too large? */
bool oc_call_may_have(const oc_call *c, oc_type type, const oc_dims *dims);

/* Returns the buffer that holds the scratch memory taken last. */
oc_buffer *oc_scratch_buffer(const oc_call *c);
/* Frees the scratch memory of a call that does not end by oc_call_run. */
void oc_call_release(oc_call *c);

/* Returns the place of the attribute in the signature; -1: it has no such attribute. */
int oc_call_attr_index(const oc_call *c, const char *name);

/* Replaces inputs whose elements decide by copies, if c->op->wants_snapshot. */
oc_status oc_call_snapshot(oc_call *c);

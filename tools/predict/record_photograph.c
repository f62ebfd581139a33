/* SPDX-License-Identifier: Apache-2.0
 * record_photograph.c - records the run of a network on one photograph. */
#include "predict/record_photograph.h"

#include "common/data.h"
#include "map/batch.h"

photograph_record photograph_record_new(const oc_model *network, const tensor_options *options)
{
    return (photograph_record){network, inputs_new(network, options)};
}

void photograph_record_free(photograph_record *r)
{
    inputs_free(&r->got);
}

/* Takes ownership of the value. */
static void keep(photograph_record *r, int input, oc_value *v)
{
    if (input < 0 || input >= r->got.n) { /* one of the decoder */
        oc_value_free(v);
        return;
    }
    oc_value_free(r->got.value[input]);
    r->got.value[input] = v;
}

static oc_value *copy_bound(const predictor_bound *b, oc_error *e)
{
    oc_value *v = data_tensor(b->type, b->rank, b->dim, "--record", e);
    if (v)
        memcpy(oc_value_mutable_data(v), b->data,
               (size_t)oc_value_count(v) * oc_type_size(b->type));
    return v;
}

void photograph_record_keep(photograph_record *r, const predictor *p, oc_value *photograph,
                            int second, const oc_value *beside, const predictor_values *v,
                            oc_error *e)
{
    const int batch = (int)p->outline.batch;
    keep(r, p->photograph,
         batch > 1 ? batch_join(&photograph, 1, batch, e) : tensor_copy(photograph, e));
    if (second >= 0)
        keep(r, second, tensor_copy(beside, e));
    for (int i = 0; i < v->n_bound; i++)
        keep(r, v->bound[i].input, copy_bound(&v->bound[i], e));
}

void photograph_record_write(photograph_record *r, const char *path, const inputs *in,
                             recorded_run *run, oc_error *e)
{
    const oc_session_options options = session_args_options(run->session);
    for (int i = 0; i < r->got.n; i++)
        if (!r->got.value[i] && in->value[i])
            keep(r, i, tensor_copy(in->value[i], e));
    oc_session *s = oc_session_new(r->network, &options, e);
    inputs_bind(&r->got, s, e);
    oc_run(s, e);
    run->model = r->network;
    run->in = &r->got;
    run->ran = s;
    recorded_write(path, run, e);
    oc_session_free(s);
}

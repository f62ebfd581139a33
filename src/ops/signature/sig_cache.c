/* SPDX-License-Identifier: Apache-2.0
 * sig_cache.c - finds signatures that were parsed before, by their text. */
#include "ops/signature/sig.h"

oc_sig_cache oc_sig_cache_new(oc_arena *arena)
{
    return (oc_sig_cache){
        .arena = arena, .places = oc_names_new(arena), .index = oc_name_map_new(arena)};
}

/* Puts the signature, which may be the host's, before an error that is about it: limits and the
 * wish to cancel are not. */
static oc_status tell_signature(const char *text, oc_error *e)
{
    char where[256];
    if (e->code != OC_FORMAT && e->code != OC_ARGUMENT)
        return e->code;
    oc_show(where, sizeof where, "signature \"%.200s\"", text);
    return oc_error_in(e, where);
}

oc_status oc_sig_cached(oc_sig_cache *c, const char *text, const oc_sig **sig, oc_error *e)
{
    const oc_name place = oc_names_intern(&c->places, (const char *)&text, sizeof text);
    const int at = place ? oc_name_map_get(&c->index, place) : -1, last = c->n;
    if (at >= 0) {
        *sig = c->item[at];
        return OC_OK;
    }
    if (oc_sig_parse(text, c->arena, sig, e) != OC_OK)
        return tell_signature(text, e);
    const oc_sig **item = OC_PUSH(c->arena, c->item, c->n);
    if (!place || !item || !oc_name_map_put(&c->index, place, last))
        return oc_arena_check(c->arena, e);
    *item = *sig;
    return OC_OK;
}

bool oc_sig_names(const char *text, const char *domain, const char *name)
{
    const size_t n_domain = strlen(domain), n_name = strlen(name);
    if (n_domain) {
        if (strncmp(text, domain, n_domain) != 0 || strncmp(text + n_domain, "::", 2) != 0)
            return false;
        text += n_domain + 2;
    }
    if (strncmp(text, name, n_name) != 0)
        return false;
    const char after = text[n_name];
    return after == ' ' || after == '<' || after == '(';
}

/* SPDX-License-Identifier: Apache-2.0
 * port_text.c - type and shape of a port, as people read them. */
#include "session/port_text.h"

const char *session_port_text(const oc_port *p, char text[PORT_TEXT])
{
    const char *type = oc_type_name(p->type);
    static const char *const forms[] = {
        [OC_SEQUENCE] = "seq(%s%s)", [OC_OPTIONAL] = "optional(%s%s)", [OC_MAP] = "%s%s"};
    if (p->kind != OC_TENSOR) {
        char map[64] = "";
        if (p->key_type)
            snprintf(map, sizeof map, "map(%s, %s)", oc_type_name(p->key_type), type);
        snprintf(text, PORT_TEXT, forms[p->kind], map, p->key_type ? "" : type);
        return text;
    }
    size_t at = (size_t)snprintf(text, PORT_TEXT, "%s[%s", type, p->rank < 0 ? "..." : "");
    for (int i = 0; i < p->rank && at < PORT_TEXT; i++) {
        const char *comma = i ? "," : "";
        if (p->dim[i] >= 0)
            at += (size_t)snprintf(text + at, PORT_TEXT - at, "%s%" PRId64, comma, p->dim[i]);
        else
            at += (size_t)snprintf(text + at, PORT_TEXT - at, "%s%s", comma,
                                   p->dim_name[i] ? p->dim_name[i] : "?");
    }
    if (at < PORT_TEXT)
        snprintf(text + at, PORT_TEXT - at, "]");
    return text;
}

/* SPDX-License-Identifier: Apache-2.0
 * family_move.c - operators that move elements and compute nothing. Each result element is one of
 * an operand, or a constant. */
#include "net.h"

#include <string.h>

static void copy(net_tensor *y, int64_t i, const net_tensor *x, int64_t k)
{
    y->v[i] = x->v[k];
    y->e[i] = x->e[k];
}

static int draw_axis(net *n, const net_tensor *x)
{
    return x->rank > 1 && net_chance(n, 50) ? 1 : (int)net_below(n, (uint32_t)x->rank);
}

/* Axes may be counted from the end. */
static int told(net *n, const net_tensor *x, int axis)
{
    return net_chance(n, 30) ? axis - x->rank : axis;
}

bool net_concat(net *n)
{
    const net_tensor *x[3] = {net_any(n, 1, 5)};
    const int axis = draw_axis(n, x[0]), count = (int)net_from(n, 1, 3);
    int64_t dim[NET_RANK];
    memcpy(dim, x[0]->dim, sizeof dim);
    for (int i = 1; i < count; i++) {
        int64_t other[NET_RANK];
        memcpy(other, x[0]->dim, sizeof other);
        if (net_chance(n, 50))
            other[axis] = net_from(n, net_chance(n, 5) ? 0 : 1, 9);
        const net_tensor *found =
            net_chance(n, 70) ? net_find(n, n->type, x[0]->rank, other, i > 1 ? x[1] : NULL) : NULL;
        if (!found && !net_fits(n, x[0]->rank, other))
            return false;
        x[i] = found ? found : net_operand(n, n->type, x[0]->rank, other, 1);
        dim[axis] += other[axis];
    }
    if (!net_fits(n, x[0]->rank, dim))
        return false;
    net_tensor *y = net_result(n, n->type, x[0]->rank, dim);
    net_line(n, "%s = Concat <axis = %d> (%s", y->name, told(n, x[0], axis), x[0]->name);
    for (int i = 1; i < count; i++)
        net_line(n, ", %s", x[i]->name);
    net_line(n, ")\n");
    int64_t at[NET_RANK] = {0};
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, y->dim, at)) {
        int64_t from[NET_RANK];
        memcpy(from, at, sizeof from);
        int k = 0;
        while (from[axis] >= x[k]->dim[axis])
            from[axis] -= x[k++]->dim[axis];
        copy(y, i, x[k], net_at(y->rank, x[k]->dim, from));
    }
    return true;
}

bool net_split(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    const int axis = draw_axis(n, x);
    const int64_t all = x->dim[axis];
    if (all < 2)
        return false;
    const int count = (int)net_from(n, 2, all < 4 ? all : 4);
    const bool even = net_chance(n, 40);
    int64_t part[4], left = all;
    for (int i = 0; i < count; i++) {
        const int64_t each = (all + count - 1) / count, rest = count - 1 - i;
        part[i] = even             ? (left < each ? left : each)
                  : i == count - 1 ? left
                                   : net_from(n, 1, left - rest);
        left -= part[i];
    }
    if (part[count - 1] < (even ? 0 : 1))
        return false;
    const net_tensor *sizes = even ? NULL : net_list(n, count, part, -1);
    net_tensor *y[4];
    for (int i = 0; i < count; i++) {
        int64_t dim[NET_RANK], at[NET_RANK] = {0}, begin = 0;
        memcpy(dim, x->dim, sizeof dim);
        dim[axis] = part[i];
        for (int k = 0; k < i; k++)
            begin += part[k];
        y[i] = net_result(n, n->type, x->rank, dim);
        net_line(n, "%s%s", i ? ", " : "", y[i]->name);
        for (int64_t k = 0; k < y[i]->n; k++, net_next(x->rank, dim, at)) {
            int64_t from[NET_RANK];
            memcpy(from, at, sizeof from);
            from[axis] += begin;
            copy(y[i], k, x, net_at(x->rank, x->dim, from));
        }
    }
    net_line(n, " = Split <axis = %d", told(n, x, axis));
    if (even)
        net_line(n, ", num_outputs = %d", count);
    net_line(n, "> (%s%s%s)\n", x->name, even ? "" : ", ", even ? "" : sizes->name);
    return true;
}

bool net_transpose(net *n)
{
    const net_tensor *x = net_any(n, 2, 5);
    int64_t perm[NET_RANK], dim[NET_RANK], at[NET_RANK] = {0};
    for (int i = 0; i < x->rank; i++)
        perm[i] = i;
    const uint32_t how = net_below(n, 4);
    if (how == 0) /* NCHW to NHWC */
        for (int i = 1; i < x->rank; i++)
            perm[i] = i + 1 < x->rank ? i + 1 : 1;
    else if (how == 1) /* and back */
        for (int i = 1; i < x->rank; i++)
            perm[i] = i > 1 ? i - 1 : x->rank - 1;
    else
        for (int i = x->rank; i-- > 1;) {
            const int k = (int)net_below(n, (uint32_t)i + 1);
            const int64_t p = perm[i];
            perm[i] = perm[k];
            perm[k] = p;
        }
    for (int i = 0; i < x->rank; i++)
        dim[i] = x->dim[perm[i]];
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(n, "%s = Transpose <", y->name);
    net_ints(n, "perm", x->rank, perm);
    net_line(n, "> (%s)\n", x->name);
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, dim, at)) {
        int64_t from[NET_RANK];
        for (int a = 0; a < y->rank; a++)
            from[perm[a]] = at[a];
        copy(y, i, x, net_at(x->rank, x->dim, from));
    }
    return true;
}

static int64_t pad_source(int64_t i, int64_t n, char mode)
{
    if (mode == 'e')
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == 'w')
        return (i % n + n) % n;
    while (mode == 'r' && n > 1 && (i < 0 || i >= n))
        i = i < 0 ? -i : 2 * (n - 1) - i;
    return i;
}

bool net_pad(net *n)
{
    static const char *const modes[] = {"constant", "constant", "edge", "reflect", "wrap"};
    const net_tensor *x = net_any(n, 1, 5);
    const char *mode = NET_PICK(n, modes);
    int64_t pads[2 * NET_RANK] = {0}, dim[NET_RANK], at[NET_RANK] = {0};
    for (int a = 0; a < x->rank; a++) {
        const bool padded = net_chance(n, a < 2 ? 15 : 60);
        const int64_t most = *mode == 'r' ? x->dim[a] - 1 : 3;
        for (int side = 0; padded && side < 2; side++)
            pads[a + side * x->rank] = net_from(n, net_chance(n, 15) ? -2 : 0,
                                                most < 0   ? 0
                                                : most > 3 ? 3
                                                           : most);
        dim[a] = x->dim[a] + pads[a] + pads[a + x->rank];
        const int64_t kept = x->dim[a] + (pads[a] < 0 ? pads[a] : 0) +
                             (pads[a + x->rank] < 0 ? pads[a + x->rank] : 0);
        if (dim[a] < 1 || kept < 1 || (*mode != 'c' && x->dim[a] == 0))
            return false;
        if (*mode != 'c' &&
            (pads[a] < 0) != (pads[a + x->rank] < 0)) /* what is cut first is left open */
            return false;
    }
    if (!net_fits(n, x->rank, dim))
        return false;
    const net_tensor *list = net_list(n, 2 * x->rank, pads, -1);
    const bool given = net_chance(n, 50);
    const net_tensor *value = given ? net_operand(n, n->type, 0, NULL, 1) : NULL;
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(n, "%s = Pad <mode = \"%s\"> (%s, %s%s%s)\n", y->name, mode, x->name, list->name,
             given ? ", " : "", given ? value->name : "");
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, dim, at)) {
        int64_t from[NET_RANK];
        bool inside = true;
        for (int a = 0; a < y->rank; a++) {
            from[a] = pad_source(at[a] - pads[a], x->dim[a], *mode);
            inside = inside && from[a] >= 0 && from[a] < x->dim[a];
        }
        if (inside)
            copy(y, i, x, net_at(x->rank, x->dim, from));
        else
            y->v[i] = given && *mode == 'c' ? value->v[0] : 0;
    }
    return true;
}

bool net_slice(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    int64_t axes[NET_RANK], starts[NET_RANK], ends[NET_RANK], steps[NET_RANK], dim[NET_RANK];
    int64_t first[NET_RANK] = {0}, step[NET_RANK], at[NET_RANK] = {0};
    int count = 0;
    for (int a = 0; a < x->rank; a++) {
        dim[a] = x->dim[a];
        step[a] = 1;
        if (dim[a] == 0 || !net_chance(n, 50))
            continue;
        static const int64_t all_steps[] = {1, 1, 1, 2, 3, -1, -2};
        const int64_t lo = net_from(n, 0, dim[a] - 1), hi = net_from(n, lo, dim[a] - 1);
        const int64_t s = NET_PICK(n, all_steps);
        axes[count] = net_chance(n, 30) ? a - x->rank : a;
        steps[count] = step[a] = s;
        first[a] = s > 0 ? lo : hi;
        starts[count] = net_chance(n, 30) ? first[a] - dim[a] : first[a];
        if (s > 0)
            ends[count] = hi == dim[a] - 1 && net_chance(n, 50) ? INT64_C(1) << 40 : hi + 1;
        else
            ends[count] = lo > 0 ? lo - 1 : -dim[a] - 1;
        dim[a] = (hi - lo) / (s > 0 ? s : -s) + 1;
        count++;
    }
    if (!count)
        return false;
    const net_tensor *list[4] = {net_list(n, count, starts, -1), net_list(n, count, ends, -1),
                                 net_list(n, count, axes, -1), net_list(n, count, steps, -1)};
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(n, "%s = Slice (%s, %s, %s, %s, %s)\n", y->name, x->name, list[0]->name, list[1]->name,
             list[2]->name, list[3]->name);
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, dim, at)) {
        int64_t from[NET_RANK];
        for (int a = 0; a < y->rank; a++)
            from[a] = first[a] + at[a] * step[a];
        copy(y, i, x, net_at(x->rank, x->dim, from));
    }
    return true;
}

/* ---- shapes ---- */

static net_tensor *reshaped(net *n, const net_tensor *x, int rank, const int64_t *dim)
{
    net_tensor *y = net_result(n, n->type, rank, dim);
    for (int64_t i = 0; i < y->n; i++)
        copy(y, i, x, i);
    return y;
}

static net_tensor *write_reshape(net *n, const net_tensor *x, int rank, const int64_t *dim)
{
    int64_t told_dim[NET_RANK];
    memcpy(told_dim, dim, sizeof told_dim);
    if (x->n > 0 && rank > 0 && net_chance(n, 30))
        told_dim[net_below(n, (uint32_t)rank)] = -1;
    const net_tensor *list = net_list(n, rank, told_dim, -1);
    net_tensor *y = reshaped(n, x, rank, dim);
    net_line(n, "%s = Reshape <allowzero = %d> (%s, %s)\n", y->name, x->n == 0, x->name,
             list->name);
    return y;
}

/* Two axes become one, or one becomes two; or any factors. */
bool net_reshape(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    int64_t dim[NET_RANK];
    int rank = 0;
    if (x->rank > 1 && net_chance(n, 50)) {
        const int joined = (int)net_below(n, (uint32_t)x->rank - 1);
        for (int a = 0; a < x->rank; a++)
            if (a == joined + 1)
                dim[rank - 1] *= x->dim[a];
            else
                dim[rank++] = x->dim[a];
    } else {
        if (x->rank == NET_RANK - 1)
            return false;
        const int axis = (int)net_below(n, (uint32_t)x->rank);
        for (int a = 0; a < x->rank; a++) {
            int64_t factor = net_from(n, 1, 4);
            factor = a == axis && x->dim[a] % factor == 0 ? factor : 1;
            if (a == axis)
                dim[rank++] = factor;
            dim[rank++] = x->dim[a] / factor;
        }
    }
    write_reshape(n, x, rank, dim);
    return true;
}

/* Reshape, Transpose, Reshape: channels change places with those of other groups, or with pixels.
 */
bool net_shuffle(net *n)
{
    const net_tensor *x = net_any(n, 3, 5);
    const int64_t groups = net_from(n, 1, 8);
    if (x->rank > NET_RANK - 1 || x->dim[1] % groups)
        return false;
    int64_t dim[NET_RANK] = {x->dim[0], groups, x->dim[1] / groups}, turned[NET_RANK],
            at[NET_RANK] = {0};
    for (int a = 2; a < x->rank; a++)
        dim[a + 1] = x->dim[a];
    const int rank = x->rank + 1;
    const net_tensor *wide = write_reshape(n, x, rank, dim);
    memcpy(turned, dim, sizeof turned);
    turned[1] = dim[2];
    turned[2] = dim[1];
    net_tensor *y = net_result(n, n->type, rank, turned);
    net_line(n, "%s = Transpose <perm = [0, 2, 1", y->name);
    for (int a = 3; a < rank; a++)
        net_line(n, ", %d", a);
    net_line(n, "]> (%s)\n", wide->name);
    for (int64_t i = 0; i < y->n; i++, net_next(rank, turned, at)) {
        int64_t from[NET_RANK];
        memcpy(from, at, sizeof from);
        from[1] = at[2];
        from[2] = at[1];
        copy(y, i, wide, net_at(rank, dim, from));
    }
    write_reshape(n, y, x->rank, x->dim);
    return true;
}

/* Element (b, c, y * s + i, x * s + j) of the deep-to-space result, whose channel within the input
 * is (i * s + j) * C + c (DCR), or c * s * s + i * s + j (CRD). SpaceToDepth is the first one's
 * inverse. */
bool net_depth(net *n)
{
    const net_tensor *x = net_any(n, 4, 4);
    const int64_t s = net_from(n, 1, 3);
    const bool to_depth = net_chance(n, 50), crd = !to_depth && net_chance(n, 40);
    if (to_depth ? x->dim[2] % s || x->dim[3] % s : x->dim[1] % (s * s))
        return false;
    const int64_t deep = to_depth ? x->dim[1] : x->dim[1] / (s * s);
    int64_t dim[4] = {x->dim[0], to_depth ? deep * s * s : deep,
                      to_depth ? x->dim[2] / s : x->dim[2] * s,
                      to_depth ? x->dim[3] / s : x->dim[3] * s};
    net_tensor *y = net_result(n, n->type, 4, dim);
    net_line(n, "%s = %s <blocksize = %lld%s> (%s)\n", y->name,
             to_depth ? "SpaceToDepth" : "DepthToSpace", (long long)s,
             crd ? ", mode = \"CRD\"" : "", x->name);
    const net_tensor *wide = to_depth ? x : y, *deeper = to_depth ? y : x;
    int64_t at[4] = {0};
    for (int64_t i = 0; i < y->n; i++, net_next(4, wide->dim, at)) {
        const int64_t block = at[2] % s * s + at[3] % s;
        const int64_t from[4] = {at[0], crd ? at[1] * s * s + block : block * deep + at[1],
                                 at[2] / s, at[3] / s};
        const int64_t k = net_at(4, deeper->dim, from);
        copy(y, to_depth ? k : i, x, to_depth ? i : k);
    }
    return true;
}

bool net_expand(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    int64_t dim[NET_RANK], count[NET_RANK], at[NET_RANK] = {0};
    const bool tile = net_chance(n, 50);
    for (int a = 0; a < x->rank; a++) {
        count[a] = net_chance(n, 35) ? net_from(n, 1, 3) : 1;
        if (!tile && x->dim[a] != 1)
            count[a] = 1;
        dim[a] = x->dim[a] * count[a];
    }
    if (!net_fits(n, x->rank, dim))
        return false;
    const net_tensor *list = net_list(n, x->rank, tile ? count : dim, -1);
    net_tensor *y = net_result(n, n->type, x->rank, dim);
    net_line(n, "%s = %s (%s, %s)\n", y->name, tile ? "Tile" : "Expand", x->name, list->name);
    for (int64_t i = 0; i < y->n; i++, net_next(y->rank, dim, at)) {
        int64_t from[NET_RANK];
        for (int a = 0; a < y->rank; a++)
            from[a] = at[a] % x->dim[a];
        copy(y, i, x, net_at(x->rank, x->dim, from));
    }
    return true;
}

bool net_squeeze(net *n)
{
    const net_tensor *x = net_any(n, 1, 5);
    int64_t dim[NET_RANK];
    int rank = 0;
    const bool flat = net_chance(n, 20), more = !flat && x->rank < 5 && net_chance(n, 50);
    const int64_t axis = net_below(n, (uint32_t)(x->rank + more));
    if (flat) {
        dim[0] = net_count((int)axis, x->dim);
        dim[1] = net_count(x->rank - (int)axis, x->dim + axis);
        net_tensor *y = reshaped(n, x, 2, dim);
        net_line(n, "%s = Flatten <axis = %lld> (%s)\n", y->name, (long long)axis, x->name);
        return true;
    }
    if (!more && (x->dim[axis] != 1 || x->rank < 2))
        return false;
    for (int a = 0; a < x->rank + more; a++)
        if (more && a == axis)
            dim[rank++] = 1;
        else if (more || a != axis)
            dim[rank++] = x->dim[more && a > axis ? a - 1 : a];
    const net_tensor *list = net_list(n, 1, &axis, -1);
    net_tensor *y = reshaped(n, x, rank, dim);
    net_line(n, "%s = %s (%s, %s)\n", y->name, more ? "Unsqueeze" : "Squeeze", x->name, list->name);
    return true;
}

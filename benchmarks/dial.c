/* The search of marchtable/kernel.py in plain C, on the same arcs: what it is measured by. */
#include <stdint.h>

typedef struct { uint32_t target; int32_t cost; } Arc;
typedef struct { int32_t dist, arc; } Node;
typedef struct { uint32_t state, next; } Entry;

typedef struct {
    const uint32_t *indptr;
    const Arc *arcs;
    const uint32_t *end_indptr, *end_target;
    const int32_t *end_before, *limit;
    Node *node;      /* dist is one more than the limit while the state is unreached */
    uint32_t *heads; /* of the buckets; entry 0 means none */
    Entry *queue;
    uint32_t *order;
    int32_t *spent, *arc;
    uint32_t arc_count, end_count, mask;
} Search;

uint32_t search(const Search *self, uint32_t start) {
    const uint32_t *restrict indptr = self->indptr;
    const Arc *restrict arcs = self->arcs;
    const int32_t *restrict limit = self->limit;
    Node *restrict node = self->node;
    Entry *restrict queue = self->queue;
    uint32_t *restrict heads = self->heads, *restrict order = self->order;
    int32_t *restrict spent = self->spent, *restrict arc = self->arc;
    const uint32_t mask = self->mask;
    uint32_t used = 1, queued = 0, count = 0;
    int32_t now = 0;
    if (limit[start] >= 0) {
        node[start] = (Node){0, -1};
        queue[used] = (Entry){start, 0};
        heads[0] = used++;
        queued = 1;
    }
    while (queued) {
        const uint32_t entry = heads[now & mask];
        if (!entry) {
            now++;
            continue;
        }
        heads[now & mask] = queue[entry].next;
        queued--;
        const uint32_t state = queue[entry].state;
        if (node[state].dist != now) continue;
        order[count++] = state;
        const uint32_t last = indptr[state + 1];
        for (uint32_t a = indptr[state]; a < last; a++) {
            const uint32_t to = arcs[a].target;
            const int32_t total = now + arcs[a].cost;
            if (total < node[to].dist) {
                node[to] = (Node){total, a};
                queue[used] = (Entry){to, heads[total & mask]};
                heads[total & mask] = used++;
                queued++;
            }
        }
    }
    if (self->end_count) {
        const uint32_t *restrict end_indptr = self->end_indptr;
        const uint32_t settled = count;
        for (uint32_t i = 0; i < settled; i++) {
            const uint32_t state = order[i];
            const int32_t before = node[state].dist;
            for (uint32_t a = end_indptr[state]; a < end_indptr[state + 1]; a++) {
                const uint32_t to = self->end_target[a];
                const int32_t total = limit[to];
                if (before <= self->end_before[a] && before <= total && total < node[to].dist) {
                    node[to] = (Node){total, self->arc_count + a};
                    order[count++] = to;
                }
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t state = order[i];
        spent[i] = node[state].dist;
        arc[i] = node[state].arc;
        node[state].dist = limit[state] + 1;
    }
    return count;
}

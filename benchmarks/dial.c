/* The search of marchtable/kernel.py in plain C, on the same arrays: what it is measured by. */
#include <stdint.h>

typedef struct {
    const uint32_t *indptr, *target;
    const int32_t *cost;
    const uint32_t *end_indptr, *end_target;
    const int32_t *end_before, *limit;
    uint32_t arcs, ends;
} Space;

typedef struct {
    int32_t *dist;
    uint32_t *heads, *after, *entry_state;
    int32_t *entry_parent, *entry_arc;
    uint32_t *order;
    int32_t *spent, *parent, *arc;
    uint32_t mask;
} Workspace;

uint32_t search(const Space *space, const Workspace *work, uint32_t start) {
    const uint32_t *restrict indptr = space->indptr, *restrict target = space->target;
    const int32_t *restrict cost = space->cost, *restrict limit = space->limit;
    int32_t *restrict dist = work->dist;
    uint32_t *restrict heads = work->heads, *restrict after = work->after;
    uint32_t *restrict entry_state = work->entry_state, *restrict order = work->order;
    int32_t *restrict entry_parent = work->entry_parent, *restrict entry_arc = work->entry_arc;
    int32_t *restrict spent = work->spent, *restrict parent = work->parent;
    int32_t *restrict arc = work->arc;
    const uint32_t mask = work->mask;
    uint32_t used = 1, queued = 0, count = 0;
    int32_t now = 0;
    if (limit[start] >= 0) {
        dist[start] = 0;
        entry_state[1] = start;
        entry_parent[1] = entry_arc[1] = -1;
        after[1] = 0;
        heads[0] = 1;
        used = 2;
        queued = 1;
    }
    while (queued) {
        const uint32_t entry = heads[now & mask];
        if (!entry) {
            now++;
            continue;
        }
        heads[now & mask] = after[entry];
        queued--;
        const uint32_t state = entry_state[entry];
        if (dist[state] != now) continue;
        order[count] = state;
        spent[count] = now;
        parent[count] = entry_parent[entry];
        arc[count] = entry_arc[entry];
        count++;
        const uint32_t last = indptr[state + 1];
        for (uint32_t a = indptr[state]; a < last; a++) {
            const uint32_t to = target[a];
            const int32_t total = now + cost[a];
            if (total < dist[to] && total <= limit[to]) {
                dist[to] = total;
                entry_state[used] = to;
                entry_parent[used] = state;
                entry_arc[used] = a;
                after[used] = heads[total & mask];
                heads[total & mask] = used++;
                queued++;
            }
        }
    }
    const uint32_t settled = count;
    if (space->ends) {
        for (uint32_t i = 0; i < settled; i++) {
            const uint32_t state = order[i];
            for (uint32_t a = space->end_indptr[state]; a < space->end_indptr[state + 1]; a++) {
                const uint32_t to = space->end_target[a];
                const int32_t total = limit[to];
                if (spent[i] <= space->end_before[a] && spent[i] <= total && total < dist[to]) {
                    dist[to] = total;
                    order[count] = to;
                    spent[count] = total;
                    parent[count] = state;
                    arc[count++] = space->arcs + a;
                }
            }
        }
        for (uint32_t i = settled; i < count; i++) dist[order[i]] = INT32_MAX;
    }
    for (uint32_t i = 1; i < used; i++) dist[entry_state[i]] = INT32_MAX;
    return count;
}

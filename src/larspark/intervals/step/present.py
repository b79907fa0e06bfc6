"""What is valid at the present: the watches of relations follow their changes, and the time. Compiled."""

from __future__ import annotations

from larspark.intervals.compiled import inner_kernel, kernel
from larspark.intervals.step.network import (
    APPEARED,
    DIRECTORY,
    DISAPPEARED,
    DUE,
    DUES,
    F_GRAVE,
    FLAG,
    FLAGS,
    GAINED,
    HEAD,
    LOST,
    R_DUE,
    R_TABLE,
    R_WATCH,
    RELATION,
    RELATIONS,
    S_RELATION,
    SEGMENT,
    UNTIL,
    WATCHED,
    array,
    ensure,
)
from larspark.intervals.step.rows import rows_changed, tell_rows
from larspark.intervals.tables.addresses import table_at
from larspark.intervals.tables.lists import Pool
from larspark.intervals.tables.storage import NONE, content, lent
from larspark.intervals.tables.watch import NEVER, NEXT_DUE, next_change, settle


@inner_kernel
def watch_changes(state: int, pool: Pool, changed: int) -> None:
    """Let the watches follow what the first segments tell, and those that are due by now."""
    until = array(state, HEAD)[UNTIL]
    for segment in range(changed):
        relation = array(state, DIRECTORY)[segment * SEGMENT + S_RELATION]
        flags = array(state, FLAGS)
        if array(state, RELATIONS)[relation * RELATION + R_WATCH] != NONE and flags[relation * FLAG + F_GRAVE] == NONE:
            flags[relation * FLAG + F_GRAVE] = 0  # has been looked at
            look_at(state, pool, relation)
    while array(state, HEAD)[DUES] and array(state, DUE)[0] <= until:
        relation = take_due(state)
        if relation != NONE:
            look_at(state, pool, relation)


@inner_kernel
def look_at(state: int, pool: Pool, relation: int) -> None:
    """What of a relation appears and disappears at the present."""
    at = relation * RELATION
    table, watch = table_at(array(state, RELATIONS)[at + R_TABLE]), table_at(array(state, RELATIONS)[at + R_WATCH])
    gained, lost = rows_changed(state, pool, relation, GAINED), rows_changed(state, pool, relation, LOST)
    appeared, disappeared = settle(table, watch, gained, lost, array(state, HEAD)[UNTIL])
    tell_rows(state, pool, relation, APPEARED, appeared)
    tell_rows(state, pool, relation, DISAPPEARED, disappeared)
    put_due(state, relation, lent(watch, NEXT_DUE)[0])


@inner_kernel
def put_due(state: int, relation: int, time: int) -> None:
    """Have a watch looked at when this time comes; earlier entries of the relation are out of date."""
    relations = array(state, RELATIONS)
    if relations[relation * RELATION + R_DUE] == time:
        return
    relations[relation * RELATION + R_DUE] = time
    if time >= NEVER:
        return
    place = array(state, HEAD)[DUES]
    array(state, HEAD)[DUES] += 1
    ensure(state, DUE, 2 * place + 2)
    heap = array(state, DUE)
    while place > 0 and heap[2 * ((place - 1) // 2)] > time:
        above = (place - 1) // 2
        heap[2 * place], heap[2 * place + 1] = heap[2 * above], heap[2 * above + 1]
        place = above
    heap[2 * place], heap[2 * place + 1] = time, relation


@inner_kernel
def take_due(state: int) -> int:
    """Take out the first entry: its relation, or NONE when it is out of date."""
    head, heap = array(state, HEAD), array(state, DUE)
    time, relation = heap[0], heap[1]
    head[DUES] -= 1
    count = head[DUES]
    moved, moved_relation = heap[2 * count], heap[2 * count + 1]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and heap[2 * child + 2] < heap[2 * child]:
            child += 1
        if heap[2 * child] >= moved:
            break
        heap[2 * place], heap[2 * place + 1] = heap[2 * child], heap[2 * child + 1]
        place = child
    heap[2 * place], heap[2 * place + 1] = moved, moved_relation
    at = relation * RELATION
    relations = array(state, RELATIONS)
    if relations[at + R_DUE] != time or relations[at + R_WATCH] == NONE:
        return NONE
    relations[at + R_DUE] = NEVER
    return relation


@kernel
def begin_watch(state: int, relation: int, watch_at: int, time: int) -> None:
    """Follow from a time on what is valid in a relation."""
    relations = array(state, RELATIONS)
    table, watch = table_at(relations[relation * RELATION + R_TABLE]), table_at(watch_at)
    relations[relation * RELATION + R_WATCH] = watch_at
    relations[relation * RELATION + R_DUE] = NEVER
    array(state, HEAD)[WATCHED] = 1
    rows = content(table)
    settle(table, watch, rows, rows[:0], time)
    put_due(state, relation, lent(watch, NEXT_DUE)[0])


@kernel
def take_up_watch(state: int, relation: int, watch_at: int) -> None:
    """Go on with a watch of a relation in another state."""
    array(state, RELATIONS)[relation * RELATION + R_WATCH] = watch_at
    array(state, RELATIONS)[relation * RELATION + R_DUE] = NEVER
    array(state, HEAD)[WATCHED] = 1
    put_due(state, relation, table_at(watch_at)[NEXT_DUE][0])


@kernel
def next_appearance(state: int, time: int) -> int:
    """The first time after this one, to which the watches must have gone, at which one of them tells something."""
    while array(state, HEAD)[DUES]:
        due = array(state, DUE)[0]
        relation = take_due(state)
        if relation != NONE:
            at = relation * RELATION
            table = table_at(array(state, RELATIONS)[at + R_TABLE])
            found = next_change(table, table_at(array(state, RELATIONS)[at + R_WATCH]), time)
            put_due(state, relation, found)
            if found == due:
                return found
    return NEVER

"""The programs of the bounded runs as a practised hand writes them in Spark SQL, with the same rows."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from larspark.bench.workloads.spark_data import BOX, JOIN, WINDOW, SparkWorkload

SLOT = 10 * WINDOW
"""Time is cut into slots, so that the join has an equality in time; without it the join took several times as long."""

DIAMOND = """
select machine as arg1, min(time) as `from`, least(max(time) + {window}, {end}) as `to`
from (select machine, time, sum(new) over (partition by machine order by time) as island
      from (select machine, time,
                   if(time <= lag(time) over (partition by machine order by time) + {window} + 1, 0, 1) as new
            from visit))
group by machine, island
"""

PAIRS = """
select r.machine, r.value, v.technician,
       greatest(r.time, v.time) as first, least(least(r.time, v.time) + {window}, {end}) as last
from (select *, floor(time / {slot}) as slot from reading) r
join (select *, explode(sequence(floor((time - {window}) / {slot}), floor((time + {window}) / {slot}))) as slot
      from visit) v
on r.machine = v.machine and r.slot = v.slot and r.time between v.time - {window} and v.time + {window}
"""

MEETINGS = """
select machine as arg1, value as arg2, technician as arg3, min(first) as `from`, max(last) as `to`
from (select *, sum(new) over (partition by machine, value, technician order by first rows unbounded preceding)
                as island
      from (select *, if(first <= max(last) over (partition by machine, value, technician order by first
                                                  rows between unbounded preceding and 1 preceding) + 1, 0, 1) as new
            from ({pairs})))
group by machine, value, technician, island
"""

ISLANDS = """
select machine as arg1, if(first = {start}, first, first + {window}) as `from`, last as `to`
from (select machine, min(time) as first, max(time) as last
      from (select machine, time, time - row_number() over (partition by machine order by time) as island from hot)
      group by machine, island)
where last >= first + {window} or first = {start}
"""


def run_sql(session: SparkSession, workload: SparkWorkload, source: Path, output: Path) -> None:
    """Parquet to Parquet."""
    for place in source.iterdir():
        session.read.parquet(str(place)).createOrReplaceTempView(place.stem)
    for name, table in _queries(session, workload).items():
        table.write.mode("overwrite").parquet(str(output / name))


def _queries(session: SparkSession, workload: SparkWorkload) -> dict[str, DataFrame]:
    if workload is BOX:
        start = session.sql("select min(time) from hot").collect()[0][0]
        return {"alarm": session.sql(ISLANDS.format(window=WINDOW, start=start))}
    assert workload is JOIN
    both = "select max(time) as time from reading union all select max(time) from visit"
    end = session.sql(f"select max(time) from ({both})").collect()[0][0]
    pairs = PAIRS.format(window=WINDOW, slot=SLOT, end=end)
    return {
        "attended": session.sql(DIAMOND.format(window=WINDOW, end=end)),
        "checked": session.sql(MEETINGS.format(pairs=pairs)),
    }

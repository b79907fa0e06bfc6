"""Every code a diagnostic can carry: what it means, and how the fixed text looks.

E1 syntax, E2 meaning of the program, E3 clock, constants and sizes, E4 stream and background data, E5 reasoners,
E6 pipeline, E7 usage, E8 translation from other languages; W marks warnings, with the same second digit.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One code, explained."""

    code: str
    title: str
    meaning: str
    fix: str
    """A piece of text as it should be, or what to do."""


_SYNTAX = (
    Entry("E101", "unexpected text", "The grammar has no place for this word here.", "a :- b [5], not c."),
    Entry("E102", "quoted text not closed", "A quoted text ends on the line it starts on.", 'a("two words").'),
    Entry("E103", "comment not closed", "A block comment runs to its closing sign.", "/* … */ or %* … *%"),
    Entry("E104", "final dot missing", "Every rule and directive ends with a dot.", "a :- b."),
    Entry("E105", "nested too deeply", "One statement may be nested some 150 levels deep.", "aux :- b. a :- aux."),
    Entry("E106", "number out of range", "Numbers are exact, so their length has a limit.", "a(123456789)."),
    Entry("E107", "unknown escape", 'In quotes, a backslash stands before `"`, `\\`, n or t.', 'a("C:\\\\dir").'),
    Entry("E108", "keys of a partition unclear", "`per` names arguments of the predicates.", "a(X,Y) [1 # per X]"),
    Entry("E109", "tuple window over time", "`#` counts atoms, a unit counts time.", "[3 #] or [3 s]"),
    Entry("E110", "head and body not separated", "One `:-` stands between head and body.", "a :- b."),
    Entry("E111", "not text", "Programs are UTF-8 text.", "Save the file in UTF-8."),
    Entry("E112", "file not readable", "The file does not exist or cannot be opened.", '#include "more.lars".'),
    Entry("E113", "includes in a circle", "A file includes itself, directly or through others.", "Remove one include."),
    Entry("E114", "`not in`", "Negation stands in front of the whole literal.", "not a in [5]"),
    Entry("E115", "window without size", "A window says how far it reaches.", "a [5]"),
    Entry("E116", "unknown unit", "The units are ms, msec, s, sec, min, h and d.", "a [5 min]"),
    Entry("E117", "brackets do not match", "Every bracket has a partner of its kind.", "p(X)"),
    Entry("E118", "upper-case predicate", "Words that start upper-case are variables.", 'tram(X), or "Tram"(X)'),
    Entry("E119", "comma missing", "Literals and arguments are separated by commas.", "a :- b, c."),
    Entry("E120", "sign of another language", "This sign means nothing here.", "h :- X = 3, a(X). h :- b."),
    Entry("E121", "not a head", "A head is an atom, or several, or a choice of atoms.", "a | b :- c."),
    Entry("E122", "empty argument list", "A predicate without arguments has no parentheses.", "p"),
    Entry("E123", "unknown directive", "No directive has this name.", "#show p/1."),
    Entry("E124", "window stands alone", "A window follows an atom or a formula in parentheses.", "a [5]"),
    Entry("E125", "time missing", "`@` is followed by a time and an atom.", "@T a, @T+5 a, or @(T+5 min) a"),
    Entry("E126", "negative size", "Past sizes have no sign, future sizes a plus.", "[5] or [+5]"),
    Entry("E127", "reserved word", "Words of the language need quotes as symbols.", 'p("in")'),
    Entry("E128", "malformed number", "Numbers are integers or decimals with digits on both sides.", "0.5"),
    Entry("E129", "malformed directive", "The directive has another form.", "#const k = 5."),
    Entry("E130", "malformed aggregate", "An aggregate has braces and is compared.", "N = #count{ X : p(X) [5] }"),
    Entry("E131", "foreign character", "Outside quotes, names are made of ASCII letters, digits and _.", '"größe"(X)'),
    Entry("E132", "malformed window", "The window has none of the forms there are.", "[3 s, +1 s hop 3 s]"),
    Entry(
        "E133",
        "formula missing",
        "`some`, `always`, `not` and `reset` are followed by a formula.",
        "always (not a) [5]",
    ),
    Entry("E134", "nothing there", "Something is missing between two separators.", "a :- b, c."),
    Entry("E136", "unknown type", "An argument has one of five types.", "#input r(machine: text, celsius: number)."),
    Entry("E137", "unknown time zone", "Zones have the names of the IANA database.", '#timezone "Europe/Vienna".'),
    Entry("E138", "range", "A range or pool stands for whole numbers or values, not too many.", "p(1..5). q(a;b)."),
    Entry(
        "E139", "number of times", "It is said how often an atom holds in a window.", "at least 3 times a(X) [5 min]"
    ),
    Entry("E145", "wording", "A sentence names arguments of its atom, in braces.", '#say alarm(M) "{M} is hot".'),
    Entry("E135", "comment read as modulo", "Between two operands, `%` is modulo.", "a :- b. // 3 of them"),
)

_MEANING = (
    Entry("E201", "unsafe variable", "Every variable gets its values from a positive atom.", "a(X) :- b(X), not c(X)."),
    Entry("E202", "background derived", "Background data cannot be the head of a rule.", "#input plan/4."),
    Entry("E203", "input recorded", "Only conclusions can be recorded.", "#record alarm/1."),
    Entry(
        "E204", "recursion through an aggregate", "An aggregate depends on its own result.", "Use a lower predicate."
    ),
    Entry("E205", "tuple window over a conclusion", "Tuple windows count only what arrives.", "b :- a [3 #]."),
    Entry("E206", "function import", "Python functions run only with permission.", "--allow-functions"),
    Entry("E207", "text and number", "A text is neither compared nor calculated with a number.", "C > 80, M = m1"),
    Entry("E210", "not to be held", "`#hold` names input, once.", "#hold readings(M, C) per M for 5 min."),
    Entry("W201", "two arities", "The same name with two numbers of arguments is two predicates.", "p/1 and p/2"),
    Entry("W202", "declared but unused", "A directive names a predicate no rule uses.", "Remove the name."),
    Entry("W203", "neither derived nor declared", "The predicate comes from nowhere; perhaps a typo.", "#input p/1."),
    Entry("W204", "derived but unread", "The conclusion is neither shown nor used.", "#show p/1."),
    Entry("W205", "variable used once", "A variable that occurs once could be `_`.", "p(_,X)"),
    Entry("W206", "rule never fires", "The body contradicts itself or needs what never holds.", "X > 3, X < 5"),
    Entry("W207", "recursion without end", "A recursive rule may compute ever new values.", "n(X + 1) :- n(X), X < 9."),
    Entry("W209", "concluded for the present only", "A window sees no earlier conclusion.", "#record hot/1."),
    Entry("W211", "date that is none", "Times in rules are numbers.", 'date(T) > "2026-03-10"'),
    Entry(
        "W212", "rank per value", "Names of the result, used inside, are keys of groups.", "(R,X) = #top{ 2; Y : p(Y) }"
    ),
    Entry("W208", "built-in relation", "The predicate is another spelling of a comparison.", "#input leq/2."),
)

_SIZES = (
    Entry("E301", "duration and clock", "A duration is a multiple of the clock.", "#clock 500 ms. a :- b [3 s]."),
    Entry("E302", "clock stands still", "A time point has a positive length.", "#clock 1 s."),
    Entry("E303", "two clocks", "A program has one clock.", "#clock 1 s."),
    Entry("E304", "constant defined twice", "A constant has one value.", "#const k = 5."),
    Entry(
        "E305", "unknown constant", "A window size names a constant that is not defined.", "#const k = 5. a :- b [k]."
    ),
    Entry("E306", "impossible size", "Sizes are whole; time from 0, tuples from 1.", "[0 s] or [1 #]"),
    Entry("E307", "impossible hop", "A window hops by 1 up to its own length.", "[4 hop 2]"),
    Entry("E308", "unknown function", "Functions are built in or imported.", '#function f/2 from "f.py".'),
    Entry("E309", "import failed", "The Python file does not load or lacks the function.", "def humidex(t, r): …"),
    Entry("E310", "impossible rank", "A rank is a literal of its own.", "(R,X) = #top{ 3; Y : p(Y) [5] }"),
)

_DATA = (
    Entry("E401", "malformed line", "The line is not a record of the format.", '{"time": 36, "atom": "tram(a1,b)"}'),
    Entry(
        "E402", "field missing", "A record has a time and an atom, or a time, a predicate and args.", '{"time": 1, …}'
    ),
    Entry("E403", "malformed atom", "An atom of a stream is ground.", "tram(a1,b)"),
    Entry("E404", "malformed time", "A time is a natural number, or a timestamp with a calendar.", "36"),
    Entry(
        "E405", "time goes backwards", "Streams are read in arrival order, and time does not decrease.", "Sort by time."
    ),
    Entry("E406", "unreadable data", "The file does not exist or is damaged.", "Check name and format."),
    Entry(
        "E407", "columns do not fit", "The columns do not give what the predicate needs.", "time,predicate,arg1,arg2"
    ),
    Entry("E408", "unknown format", "Data files are told apart by their ending.", "stream.jsonl, .csv or .parquet"),
    Entry("E409", "derived predicate as input", "Input is extensional unless declared.", "#input alarm/1."),
    Entry("E410", "other number of arguments", "The program uses the predicate with another arity.", "tram(a1,b)"),
    Entry("E411", "outside the timeline", "Data and evaluation lie on the timeline.", "--timeline 0 50"),
    Entry("W410", "input that no rule reads", "Atoms arrived for nothing; perhaps a typo.", "#input readings/2."),
    Entry(
        "W411", "input that does not come", "The program waits for atoms that never arrived.", "--stream readings.csv"
    ),
    Entry(
        "W412",
        "texts where numbers are wanted",
        "Texts are greater than all numbers, and nothing is calculated with them.",
        "#input r(x: number).",
    ),
    Entry("W413", "always over samples", "What arrives now and then does not hold in between.", "docs/patterns.md"),
    Entry("W414", "Unix times beside another clock", "Time points are counted by the clock.", "#clock 1 s."),
    Entry(
        "W415", "rule that never fired", "What it reads was there, and yet its body never held.", "why-not 'alarm(a)'"
    ),
    Entry("E413", "value of another type", "A value fits the type that `#input` declares.", "#input r(x: number)."),
    Entry("E412", "too late", "Answers up to the watermark are final.", "--lateness 5min"),
)

_REASONERS = (
    Entry("E501", "window function", "A window function is not registered, or fails.", "larspark.register_window(…)"),
    Entry("E502", "time unbounded", "A time variable may be any of infinitely many time points.", "@T a [5]"),
    Entry("E503", "head without end", "The head speaks about all time points, without end.", "always a [5] :- b."),
    Entry(
        "E504", "search too large", "The reference semantics refuses enumerations of this size.", "--reasoner clingo"
    ),
    Entry(
        "E505", "times run away", "Recursive rules derive ever new atoms.", "Put a window around the recursive atom."
    ),
    Entry(
        "E506", "recursion through an aggregate", "An aggregate depends on its own result.", "Use a lower predicate."
    ),
    Entry(
        "E507",
        "window chain",
        "A hopping window over derived atoms comes last.",
        "[5] [4 hop 2]",
    ),
    Entry("E508", "foreign snapshot", "A snapshot fits one program and one version.", "Start without the snapshot."),
    Entry("E509", "not with this reasoner", "Only some reasoners can do this.", 'Engine(…, "interval")'),
    Entry("E510", "no such rule", "A rule is removed as it stands in the program.", "remove_rule('p :- q.')"),
    Entry("E511", "full formula", "This formula is not lowered to extended atoms.", "--reasoner reference"),
    Entry("E512", "window given in Python", "This reasoner cannot run the window function.", "--reasoner reference"),
    Entry("E513", "disjunction", "The reasoner makes no such choices.", "--reasoner clingo"),
    Entry("E514", "not stratified", "Negation runs in a cycle.", "--reasoner clingo"),
    Entry("E515", "counted choice", "A choice that was counted may turn out to be forbidden.", "--reasoner clingo"),
    Entry("E516", "recursion through a window", "The program is not window-stratified.", "--reasoner interval"),
    Entry("E517", "preference", "The reasoner does not compare answer streams.", "--reasoner clingo"),
    Entry("E518", "beyond 32 bits", "clingo adds and counts time in 32 bits.", "Scale down, or --reasoner interval"),
    Entry("E519", "no encoding", "The reasoner has no encoding of this literal.", "--reasoner clingo"),
    Entry("E521", "several time variables", "Ticker allows one time variable per rule.", "larspark takes the rule."),
    Entry(
        "E522",
        "unguarded variable",
        "Ticker wants an atom without window for each variable.",
        "larspark takes the rule.",
    ),
    Entry("E523", "not a Ticker rule", "Ticker has one-atom heads and extended atoms, no more.", "larspark takes it."),
    Entry("E524", "not a Ticker window", "Ticker has `[n u]` and `[n #]`, with u one of ms, s, min, h.", "a [5 s]"),
    Entry("E525", "time computed", "Ticker neither computes nor compares times.", "larspark takes the rule."),
    Entry("E526", "loop", "Ticker's incremental reasoner handles no odd loops.", "Use its reasoner clingo."),
    Entry("E527", "signal or background", "In Ticker the windows tell which predicate is which.", "a(X) [0 s]"),
    Entry("E531", "not comparable", "Ground programs without aggregates can be compared.", "a(1) :- b(1) [5]."),
    Entry("E532", "term without value", "Programs are compared whose terms all have values.", "a(X / 2)"),
    Entry("E533", "comparison given up", "The search for a difference was too long.", "--timeline 0 5"),
    Entry("E534", "comparison too large", "Too many contexts or atoms would have to be tried.", "--over a --over b"),
    Entry("E535", "not an atom", "Contexts are made of ground atoms, perhaps with a time.", "--over '@3 a(1)'"),
    Entry("E536", "strong and shown", "A context may read what is not shown.", "--notion data --shown"),
)

_FORESIGHT = (
    Entry("E540", "unsafe rule", "Every variable gets its values from a positive atom.", "@T a(X) :- @T b(X)."),
    Entry("E541", "no Temporal Datalog", "Only pinned and rigid atoms, negation and comparisons.", "#temporal p/2."),
    Entry("E542", "no time term", "A time is a point, a variable, or a variable plus a number.", "@(T + 1) a"),
    Entry("E543", "negation between rigid atoms", "Rigid rules are positive.", "@T a(X) :- @T b(X), not rigid(X)."),
    Entry("E544", "goal not derived", "A goal is the head of some rule.", "--goal 'alarm(X)'"),
    Entry("E545", "recursion without end", "The goal has infinitely many preconditions.", "--bound 5"),
    Entry("E546", "goal too big", "Unfolding the goal takes too many steps.", "--goal 'alarm(pump1)'"),
    Entry("E547", "not T-stratified", "A negated atom does not lie in the past.", "@(T+1) p :- @T q, not @T p."),
    Entry("E549", "fact too late", "The time point is closed already.", "--delay 5"),
    Entry("E550", "fact from the future", "A fact is reported at its time or later.", '{"time": 3, …}'),
    Entry("E551", "derived fact", "What rules derive does not arrive in the stream.", "#input alarm/1."),
    Entry("E552", "no foresight through this", "Time windows, joins, comparisons, negation.", "a :- b [5], not c [3]."),
    Entry("E553", "goal is no atom", "A goal is an atom, pinned or not.", "--goal '@T malf(X)'"),
    Entry("W540", "rule not connected", "Its times are not all tied to the head's time.", "@(T+1) a :- @T b."),
    Entry("E554", "no time argument", "A temporal predicate has a last argument for its time.", "#temporal p/1."),
)

_EXPLANATIONS = (
    Entry("E560", "nothing gives the atom", "No rule concludes it, and it does not arrive.", "why 'alarm(press)'"),
    Entry("E561", "not a ground atom", "A question is about one atom, perhaps with a time.", "why '@43 exp(a3,m)'"),
    Entry(
        "E562",
        "not a proof of this program",
        "A proof is verified with its own program.",
        "larspark why … --format json",
    ),
    Entry("E563", "does not hold", "`why` explains what holds, `why-not` what does not.", "larspark why-not …"),
    Entry("E564", "no answer stream", "At this time the rules contradict each other.", "larspark why-not false …"),
    Entry("E566", "past not kept", "A running engine keeps what its windows still see.", "Ask about a recording."),
    Entry("E567", "malformed case file", "A line of a case file has another form.", "expect 46 alarm(press)"),
    Entry("E568", "run not known", "The folder has no manifest, or an input of the run is gone.", "--run results/"),
    Entry("E569", "nothing to ask about", "A question names a program and a stream.", "larspark why … --stream S"),
    Entry("E565", "nothing to drop", "No arrival stands there.", "--drop 'line 98'"),
)

_PIPELINE = (
    Entry("E601", "no Java", "Spark runs on Java 17 or later.", "Set JAVA_HOME."),
    Entry("E602", "Spark does not start", "The master did not answer, or the launcher failed.", "--master local[2]"),
    Entry("E603", "output in the way", "Results never replace data of another kind.", "--output results"),
    Entry("E604", "not for streams", "The program needs all evaluations in one go.", "Run it without --follow."),
    Entry("E605", "another stream's checkpoint", "A stream goes on as it began.", "--output fresh"),
    Entry("E606", "pipeline file", "Its entries are described in docs/spark.md.", "program: alarms.lars"),
    Entry("E607", "address of a source", "Live sources are sockets and MQTT topics.", "mqtt://broker:1883/trams"),
    Entry("E608", "source does not answer", "A live source must be there when a run starts.", "Start the broker."),
    Entry("E609", "run broken down", "Spark or the machine could not go on.", "Make room on the disk."),
    Entry("E610", "background too large", "Every partition holds the whole background.", "Let it arrive as input."),
    Entry("E611", "lateness missing", "Answers of a stream are final after the allowed lateness.", "lateness='5 min'"),
    Entry("E612", "streams and tables mixed", "Input streams or is there; background is there.", "background={…}"),
    Entry("E613", "value outside its column", "The types of a stream's columns are fixed.", "columns={'p': 'x long'}"),
    Entry("E615", "not a part of the time", "A part needs what windows see before it.", "--from T --until U"),
    Entry("E616", "rules in SQL", "Rows that meet in a rule are in one partition.", "TABLE(t) PARTITION BY machine"),
    Entry("E617", "tables elsewhere", "The database or catalog did not take the tables.", "--output jdbc:…"),
)

_USAGE = (
    Entry("E701", "unknown reasoner", "The reasoners are listed by `larspark eval --help`.", "--reasoner interval"),
    Entry("E702", "file or port not usable", "The system refused to open or write it.", "Check path and permissions."),
    Entry("E703", "unknown workload", "The workloads are listed by `larspark bench --list`.", "larspark bench diamond"),
    Entry("E705", "shape of answers", "Intervals and changes are those of one answer stream.", "--as points"),
    Entry("E706", "part not installed", "Parts of larspark are installed on request.", "pip install 'larspark[spark]'"),
    Entry("E707", "unknown code", "Codes are listed by `larspark explain`.", "larspark explain E404"),
    Entry("E711", "edit not allowed", "Rules are changed from a page only where that was allowed.", "--allow-edit"),
    Entry("E712", "wrong request", "A request to the page's server lacks something.", "See docs/page.md."),
    Entry("E713", "cell of a notebook", "A %%lars cell names tables of the notebook.", "%%lars hot -o result"),
    Entry("E704", "contestants disagree", "Times count only when all answers are the same.", "Report the difference."),
)

_TRANSLATION = (
    Entry("E801", "unexpected text", "The source language has no place for this word here.", "a <- b SEQ c."),
    Entry("E802", "no translation", "This part of the source language cannot be said exactly.", "Do as the hint says."),
    Entry("E803", "unknown name", "No declaration or source offers this name.", "CREATE STREAM tram (id, station);"),
    Entry("E804", "variable without value", "Nothing in the pattern gives the variable a value.", "a(X) <- b(X)."),
    Entry("E805", "name used twice", "Two statements define the same name.", "Choose another name."),
    Entry(
        "W801", "intervals may merge", "Points in time cannot tell touching intervals apart.", "--intervals arguments"
    ),
    Entry("W802", "sets, not bags", "Equal rows of one time point are one row here.", "--arrivals"),
    Entry("W804", "capitals matter", "Texts are equal here only if all letters are.", "User: Administrator"),
    Entry("W803", "no infinities", "What has no finite value has none here.", "Compare the divisor with 0."),
)

CATALOGUE = {
    entry.code: entry
    for entry in (
        *_SYNTAX,
        *_MEANING,
        *_SIZES,
        *_DATA,
        *_REASONERS,
        *_FORESIGHT,
        *_EXPLANATIONS,
        *_PIPELINE,
        *_USAGE,
        *_TRANSLATION,
    )
}
"""All entries by code."""

"""Why an atom does not hold, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from larspark.explain.misses.changes import SuggestedChange
from larspark.explain.misses.reasons import JudgedCondition
from larspark.explain.misses.repairs import Repair
from larspark.explain.misses.why_not import Candidate, WhyNot
from larspark.explain.phrasing import Phrasing, number_of
from larspark.explain.proofs.proof import bindings_json


def why_not_text(found: WhyNot) -> str:
    return "\n".join(_lines(found))


def _lines(found: WhyNot) -> Iterator[str]:
    question, words = found.question, found.words
    sentence = words.sentence(question.fact, question.point)
    atom = words.atom(question.fact, question.at) + (f' ("{sentence}")' if sentence else "")
    yield f"{atom} does not hold at {words.time(question.time)}. {_could_give_it(found)}."
    for candidate in found.candidates:
        yield from candidate_lines(candidate, words)
    later = None if found.next_if_complete is None else f"it may hold from {words.time(found.next_if_complete)} on"
    held = "It never held" if found.last_held is None else f"It last held at {words.time(found.last_held)}"
    if not found.past_known:
        held = "What held before is not kept"
    yield f"{held}; if all that the nearest miss asks for arrives, {later}." if later else f"{held}."
    for number, repair in enumerate(found.repairs, 1):
        lead = "Smallest repairs   " if number == 1 else " " * 19
        yield f"{lead}{number}  {repair_words(repair, words)}"
    for one in found.refused:
        where = f"{words.line(one)}: " if "line" in one else ""
        what = f"{words.spelled(one['atom'])} at {words.time(one['at'])}: " if "atom" in one else ""
        yield f"Refused input      {where}{what}{one['reason']}"


def _could_give_it(found: WhyNot) -> str:
    if not found.rules:
        return "No rule gives it, and no arrival does"
    rules = "One rule" if found.rules == 1 else f"{found.rules} rules"
    if not found.candidates:
        return f"{rules} could give it, and {'it does not fit' if found.rules == 1 else 'none of them fits'}"
    nearest = found.candidates[0]
    if len(nearest.conditions) == 1:
        return f"{rules} could give it; its condition fails"
    missed = f"{nearest.distance} of {len(nearest.conditions)} conditions do not hold"
    return f"{rules} could give it; in the nearest miss {missed}"


def candidate_lines(candidate: Candidate, words: Phrasing) -> Iterator[str]:
    """A rule that does not give the atom, condition by condition."""
    body, binding = candidate.partial.rule.body, candidate.partial.binding
    plain = ", ".join(f"{name} = {value}" for name, value in bindings_json(binding).items())
    bindings = words.values(body, binding) or plain
    yield f"{candidate.rule}   {candidate.text}{'   ' + bindings if bindings else ''}"
    for one in candidate.conditions:
        text = one.told or one.text
        yield f"  {'✓' if one.ok else '✗'} {text}{'' if one.ok else '    ' + reason_words(one, words)}"


def reason_words(condition: JudgedCondition, words: Phrasing) -> str:
    told = condition.values or _WORDS[condition.reason or "never"](condition.details, words)
    return f"{condition.reason}: {told}"


def _never(details: Mapping[str, Any], words: Phrasing) -> str:
    if "unknown" in details:
        return "its window is not known, since a variable has no value"
    return f"{details['pattern']} is nowhere" if "pattern" in details else "nothing like it is there"


def _expired(details: Mapping[str, Any], words: Phrasing) -> str:
    if "last" in details:
        return f"{words.spelled(details['atom'])} last held at {words.time(details['last'])}"
    left = f", left the window at {words.time(details['left'])}" if details.get("left") is not None else ""
    return f"{_placed(details, words)}{left}"


def _not_yet(details: Mapping[str, Any], words: Phrasing) -> str:
    if "seen" in details:
        return f"{_placed(details, words)}, which the window sees from {words.time(details['seen'])} on"
    return f"{_placed(details, words)} comes later"


def _gap(details: Mapping[str, Any], words: Phrasing) -> str:
    had = sum(last - first + 1 for first, last in details["had"])
    first, last = details["window"]
    whole = f"of the {last - first + 1} points of {words.span(first, last)}" if last is not None else "points"
    return f"at {had} {whole}; missing {words.spans(details['missing'])}"


def _pushed(details: Mapping[str, Any], words: Phrasing) -> str:
    by = ", ".join(_placed(one, words) for one in details["by"])
    return f"{_placed(details, words)}, by {number_of(details['arrivals'], 'later arrival')}: {by}"


def _other(details: Mapping[str, Any], words: Phrasing) -> str:
    differs = ", ".join(map(str, details["differs"]))
    return f"there is {_placed(details, words)}" + (f", with another argument {differs}" if differs else "")


def _refused(details: Mapping[str, Any], words: Phrasing) -> str:
    return f"{_placed(details, words)} was not taken: {details['because']}"


def _blocked(details: Mapping[str, Any], words: Phrasing) -> str:
    if "by" not in details:
        return "it does hold"
    until = f", until {words.time(details['until'])} if nothing arrives" if details.get("until") is not None else ""
    return f"by {_placed(details['by'], words)}{until}"


def _comparison(details: Mapping[str, Any], words: Phrasing) -> str:
    del words  # where they matter, the condition has the values in words
    return f"{_known(details['left'])} and {_known(details['right'])}"


def _aggregate(details: Mapping[str, Any], words: Phrasing) -> str:
    if details["value"] is None:
        return "it has no value, since nothing is there"
    value = _known(details["value"])
    compared = f"{_known(details['needed'])} {details['operator']} {value}"
    return f"the value is {value}" + ("" if details["needed"] is None else f", and {compared} does not hold")


def _chosen(details: Mapping[str, Any], words: Phrasing) -> str:
    if "taken" not in details:
        return "another answer stream has it, this one does not"
    taken = ", ".join(map(words.spelled, details["taken"]))
    return f"of the head {taken} was chosen" if taken else "the rule leaves it open, and it was not chosen"


def _constraint(details: Mapping[str, Any], words: Phrasing) -> str:
    rules = ", ".join(_rule(one["rule"]) for one in details.get("core", ()))
    return f"forbidden by {rules}" if rules else "a constraint forbids it"


def _rule(rule: Mapping[str, Any]) -> str:
    return f"{rule['file']}:{rule['line']}" if rule["file"] else f"rule {rule['index'] + 1}"


_WORDS = {
    "never": _never,
    "expired": _expired,
    "not-yet": _not_yet,
    "gap": _gap,
    "pushed-out": _pushed,
    "other-value": _other,
    "refused": _refused,
    "blocked": _blocked,
    "comparison": _comparison,
    "aggregate": _aggregate,
    "chosen-otherwise": _chosen,
    "constraint": _constraint,
}


def _known(value: Any) -> str:
    return "no value" if value is None else str(value)


def _placed(details: Mapping[str, Any], words: Phrasing) -> str:
    line = f" ({words.line(details)})" if "line" in details else ""
    at = f" at {words.time(details['at'])}" if details.get("at") is not None else ""
    return f"{words.spelled(details['atom'])}{at}{line}"


def repair_words(repair: Repair, words: Phrasing) -> str:
    if repair.edit is not None:
        return f"the window of condition {repair.edit.literal + 1} of {repair.edit.rule} as {repair.edit.window}"
    return ", ".join(_change(one, words) for one in repair.changes)


def _change(change: SuggestedChange, words: Phrasing) -> str:
    return f"{'' if change.sign == '+' else 'without '}{words.atom(change.fact)} at {words.time(change.time)}"

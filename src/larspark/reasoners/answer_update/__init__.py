"""Answer update: truth maintenance for answer streams, with labels over time (Beck, Dao-Tran, Eiter, IJCAI 2015)."""

from larspark.reasoners.answer_update.reasoner import AnswerUpdateReasoner

__all__ = ["AnswerUpdateReasoner"]

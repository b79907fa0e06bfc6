"""What a program is, before it runs: predicates, safety, strata, fragment, retention, fitting reasoners."""

from larspark.analysis.analysis import Analysis, Component, Fragment, Retention
from larspark.analysis.pipeline import analyse

__all__ = ["Analysis", "Component", "Fragment", "Retention", "analyse"]

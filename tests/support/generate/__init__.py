"""The parts of random programs: shapes, terms, windows, rules, aggregates, formulas, directives and data.

`support.random_programs.random_scenario` puts them together.
"""

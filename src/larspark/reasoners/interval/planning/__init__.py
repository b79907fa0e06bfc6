"""The order of things: parts of an engine, plans of rules, joins by the sizes of relations."""

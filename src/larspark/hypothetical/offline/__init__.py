"""Before any data: preconditions of a goal by resolution, and what follows from their shape."""

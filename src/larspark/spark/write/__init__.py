"""Result tables: the types of their columns, their files, and how they are put in place."""

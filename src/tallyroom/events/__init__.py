"""Events as people read them: the list, the stream, the export, and their actors, groups and schema."""

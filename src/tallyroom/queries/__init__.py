"""From a question to its answer: config, query plan, SQL, rows; each kind of widget in `kinds/`. Knows no HTTP."""

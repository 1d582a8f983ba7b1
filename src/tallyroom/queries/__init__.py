"""From a question to its answer: config, query plan, SQL, rows. Widget kinds are in `kinds/`. Independent of HTTP."""

"""From a widget's config to its answer: config, normalize, query plan, SQL, result. One file a kind in `kinds/`."""

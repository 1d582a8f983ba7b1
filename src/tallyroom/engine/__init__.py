"""From a widget's config to its answer: config, normalize, plan, SQL, result. One file for each kind in `kinds/`."""

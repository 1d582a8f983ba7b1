"""The command `tallyroom`: one file for each group of subcommands; `main` puts them together."""

"""The command `tallyroom`: one file for each group of subcommands, which `main` puts together."""

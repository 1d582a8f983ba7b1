"""How the suite itself runs: what is made once, which rows it tries, and what it leaves out."""

"""E-mail: letters, the way to the mail server, and the queue of account mails."""

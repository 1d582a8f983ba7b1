/** What a new password needs, below its field. */
export const PASSWORD_HINT = "At least 10 characters. A phrase is easier to keep than a riddle.";

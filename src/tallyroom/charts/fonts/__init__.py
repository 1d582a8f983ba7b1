"""The typefaces of the pictures, which the SIL Open Font License lets travel with the program.

Inter (OFL.txt) has Latin, Greek and Cyrillic in two weights. Noto Emoji (OFL-NotoEmoji.txt) has all emoji, in the color
of the words around them; typefaces/noto_emoji.py makes its file. What neither has is a box.
"""

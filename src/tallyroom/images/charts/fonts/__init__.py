"""The typefaces of the pictures, distributed with the program under the SIL Open Font License.

Inter (OFL.txt) has Latin, Greek and Cyrillic in two weights. Noto Emoji (OFL-NotoEmoji.txt) has all emoji, in the color
of the words around them; typefaces/noto_emoji.py makes its file. A character that neither has is drawn as a box.
"""

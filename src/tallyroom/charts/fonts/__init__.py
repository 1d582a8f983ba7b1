"""The typeface of the pictures: Inter, which the SIL Open Font License lets travel with the program (OFL.txt).

Latin, Greek and Cyrillic in two weights; what the typeface has not is a box.
"""

"""Makes a picture smaller, for the documentation: at most 1,000 pixels wide, of 128 colors.

    python small_picture.py LARGE.png SMALL.png
"""
import sys

from PIL import Image

WIDTH, COLORS = 1000, 128

picture = Image.open(sys.argv[1]).convert("RGB")
if picture.width > WIDTH:
    picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
picture.quantize(COLORS, dither=Image.Dither.NONE).save(sys.argv[2], optimize=True)

"""Data sets whose true coordinates are known, one function each.

Written by ``generate.py`` from the tables of the library.
"""
from __future__ import annotations

from .run import RandomState
from .sample import Sample, draw

__all__ = [
    "cylinder",
    "flat_torus",
    "glyph",
    "helix",
    "hemisphere",
    "klein_bottle",
    "moebius",
    "petals",
    "plane",
    "s_curve",
    "s_curve_hole",
    "s_curve_uneven",
    "solid_torus",
    "sphere",
    "spherical_cap",
    "swiss_roll",
    "swiss_roll_hole",
    "torus",
    "twin_peaks",
    "two_pieces",
]


def swiss_roll(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    height: float = 21,
    turns: float = 1.5,
) -> Sample:
    """A flat sheet rolled up in space.

    True coordinates: the sheet laid flat: length along the spiral from its inner end, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    height : float, default 21
        Width of the sheet, along the axis of the roll, from 0.001 to 1000.
    turns : float, default 1.5
        How many times the sheet goes around, from 0.1 to 100.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("swiss-roll", n_points, noise, random_state, {"height": height, "turns": turns})


def swiss_roll_hole(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    hole: float = 0.5,
    height: float = 21,
    turns: float = 1.5,
) -> Sample:
    """The Swiss roll with a rectangle cut from the middle of its sheet.

    True coordinates: the sheet laid flat: length along the spiral from its inner end, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    hole : float, default 0.5
        Side of the window as a share of the sheet's side, from 0 to 0.9.
    height : float, default 21
        Width of the sheet, along the axis of the roll, from 0.001 to 1000.
    turns : float, default 1.5
        How many times the sheet goes around, from 0.1 to 100.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll_hole(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("swiss-roll-hole", n_points, noise, random_state, {"hole": hole, "height": height, "turns": turns})


def s_curve(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    height: float = 2,
) -> Sample:
    """A flat sheet bent into an S.

    True coordinates: the sheet laid flat: length along the S from its middle, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the two arcs, from 0.001 to 1000.
    height : float, default 2
        Width of the sheet, across the S, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.s_curve(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("s-curve", n_points, noise, random_state, {"radius": radius, "height": height})


def s_curve_hole(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    hole: float = 0.7,
    radius: float = 1,
    height: float = 2,
) -> Sample:
    """The S curve with a disc cut from the middle of its sheet.

    True coordinates: the sheet laid flat: length along the S from its middle, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    hole : float, default 0.7
        Diameter of the window as a share of the height, from 0 to 0.9.
    radius : float, default 1
        Radius of the two arcs, from 0.001 to 1000.
    height : float, default 2
        Width of the sheet, across the S, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.s_curve_hole(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("s-curve-hole", n_points, noise, random_state, {"hole": hole, "radius": radius, "height": height})


def s_curve_uneven(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    contrast: float = 10,
    radius: float = 1,
    height: float = 2,
) -> Sample:
    """The S curve with patches of many and of few points.

    True coordinates: the sheet laid flat: length along the S from its middle, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    contrast : float, default 10
        The greatest density over the least, from 1 to 1000.
    radius : float, default 1
        Radius of the two arcs, from 0.001 to 1000.
    height : float, default 2
        Width of the sheet, across the S, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.s_curve_uneven(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("s-curve-uneven", n_points, noise, random_state, {"contrast": contrast, "radius": radius, "height": height})


def plane(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    dim: int = 10,
    width: float = 2,
    height: float = 1,
) -> Sample:
    """A flat rectangle, turned at random in many dimensions.

    True coordinates: position in the rectangle, from its center along its sides.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    dim : int, default 10
        Number of coordinates of a point, from 2 to 100000.
    width : float, default 2
        Side of the rectangle along u, from 0.001 to 1000.
    height : float, default 1
        Side of the rectangle along v, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.plane(100)
    >>> X.shape, Z.shape
    ((100, 10), (100, 2))
    """
    return draw("plane", n_points, noise, random_state, {"dim": dim, "width": width, "height": height})


def helix(
    n_points: int = 1000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    pitch: float = 1,
    turns: float = 4,
) -> Sample:
    """A curve that climbs around an axis, with two ends.

    True coordinates: length along the curve from its lower end.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 1000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        From the axis to the curve, from 0.001 to 1000.
    pitch : float, default 1
        How far one turn climbs, from 0.001 to 1000.
    turns : float, default 4
        How many times the curve goes around, from 0.01 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.helix(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 1))
    """
    return draw("helix", n_points, noise, random_state, {"radius": radius, "pitch": pitch, "turns": turns})


def two_pieces(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    gap: float = 20,
    height: float = 21,
    turns: float = 1.5,
) -> Sample:
    """A Swiss roll sawn into two pieces that lie apart, labeled lower and upper.

    True coordinates: both sheets laid flat, the gap apart: length along the spiral, and height.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    gap : float, default 20
        Distance between the two pieces, from 0 to 1000.
    height : float, default 21
        Width of the sheet, along the axis of the roll, from 0.001 to 1000.
    turns : float, default 1.5
        How many times the sheet goes around, from 0.1 to 100.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.two_pieces(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("two-pieces", n_points, noise, random_state, {"gap": gap, "height": height, "turns": turns})


def cylinder(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    height: float = 2,
) -> Sample:
    """The side of a cylinder, open at both ends.

    True coordinates: the side cut open and laid flat: length around from the cut, and height.
    They keep lengths except across a seam, where they jump: no perfect embedding exists.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the cylinder, from 0.001 to 1000.
    height : float, default 2
        Height of the cylinder, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.cylinder(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("cylinder", n_points, noise, random_state, {"radius": radius, "height": height})


def solid_torus(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 2,
    tube: float = 1,
) -> Sample:
    """A ring in space with its inside.

    True coordinates: the points themselves.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 2
        From the center of the ring to the core of its tube, from 0.001 to 1000.
    tube : float, default 1
        Radius of the tube, less than radius, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.solid_torus(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 3))
    """
    return draw("solid-torus", n_points, noise, random_state, {"radius": radius, "tube": tube})


def petals(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    petals: int = 5,
    circles: int = 25,
) -> Sample:
    """A flat flower bent in 100 dimensions.

    True coordinates: the flower laid flat, from its middle.
    They keep lengths: the true coordinates are a perfect embedding.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    petals : int, default 5
        The number of petals, from 1 to 12.
    circles : int, default 25
        Circles that each of the two coordinates runs along: 4 dimensions for each, from 1 to 250.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.petals(100)
    >>> X.shape, Z.shape
    ((100, 100), (100, 2))
    """
    return draw("petals", n_points, noise, random_state, {"petals": petals, "circles": circles})


def flat_torus(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    second_radius: float = 1,
) -> Sample:
    """The product of two circles in four dimensions, flat everywhere.

    True coordinates: the surface cut open and laid flat: length around each circle from the cut.
    They keep lengths except across a seam, where they jump: no perfect embedding exists.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the first circle, from 0.001 to 1000.
    second_radius : float, default 1
        Radius of the second circle, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.flat_torus(100)
    >>> X.shape, Z.shape
    ((100, 4), (100, 2))
    """
    return draw("flat-torus", n_points, noise, random_state, {"radius": radius, "second_radius": second_radius})


def spherical_cap(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    width: float = 1,
) -> Sample:
    """The part of a sphere about a pole.

    True coordinates: azimuthal equidistant chart: the direction from the pole, and the true distance from it.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the sphere, from 0.001 to 1000.
    width : float, default 1
        Angle from the pole to the rim, in radians, from 0.001 to 3.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.spherical_cap(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("spherical-cap", n_points, noise, random_state, {"radius": radius, "width": width})


def hemisphere(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
) -> Sample:
    """The upper half of a sphere.

    True coordinates: azimuthal equidistant chart: the direction from the pole, and the true distance from it.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the sphere, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.hemisphere(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("hemisphere", n_points, noise, random_state, {"radius": radius})


def sphere(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
) -> Sample:
    """The whole surface of a ball.

    True coordinates: longitude and latitude in radians.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the sphere, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.sphere(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("sphere", n_points, noise, random_state, {"radius": radius})


def torus(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 2,
    tube: float = 1,
) -> Sample:
    """The skin of a ring in space.

    True coordinates: length along the core of the ring, and around the tube from its outer side.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 2
        From the center of the ring to the core of its tube, from 0.001 to 1000.
    tube : float, default 1
        Radius of the tube, less than radius, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.torus(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("torus", n_points, noise, random_state, {"radius": radius, "tube": tube})


def moebius(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 1,
    width: float = 1,
) -> Sample:
    """A band with a half twist, which has one side and one edge.

    True coordinates: length along the middle line, and offset from it, which changes sign across the seam.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 1
        Radius of the middle line, from 0.001 to 1000.
    width : float, default 1
        Width of the band, less than 2 radius, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.moebius(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("moebius", n_points, noise, random_state, {"radius": radius, "width": width})


def klein_bottle(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    radius: float = 2,
    tube: float = 1,
) -> Sample:
    """A tube whose ends meet turned over: closed, with one side, in four dimensions.

    True coordinates: length along the core of the ring, and around the tube, which turns over across the seam.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    radius : float, default 2
        From the center of the ring to the core of its tube, from 0.001 to 1000.
    tube : float, default 1
        Radius of the tube, less than radius, from 0.001 to 1000.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.klein_bottle(100)
    >>> X.shape, Z.shape
    ((100, 4), (100, 2))
    """
    return draw("klein-bottle", n_points, noise, random_state, {"radius": radius, "tube": tube})


def twin_peaks(
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    height: float = 1,
) -> Sample:
    """A square sheet raised into two hills and two hollows.

    True coordinates: the view from above.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 2000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    height : float, default 1
        Height of the hills, from 0 to 100.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.twin_peaks(100)
    >>> X.shape, Z.shape
    ((100, 3), (100, 2))
    """
    return draw("twin-peaks", n_points, noise, random_state, {"height": height})


def glyph(
    n_points: int = 1000,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
    size: int = 24,
    edge: float = 1.5,
    turn: bool = False,
) -> Sample:
    """Small pictures of a letter that moves about and, with turn, turns.

    True coordinates: shift right and down in pixels and, with turn, the clockwise angle in radians.
    They do not keep lengths.

    Parameters
    ----------
    n_points : int, default 1000
        The number of points.
    noise : float, default 0.0
        The standard deviation of Gaussian noise added to every coordinate.
    random_state : int, numpy generator or None
        The seed; None is 0.
    size : int, default 24
        Side of the picture in pixels, from 12 to 512.
    edge : float, default 1.5
        Width of the soft edge in pixels, from 0.5 to 4.
    turn : bool, default False
        Whether the letter also turns, by up to 45 degrees each way.

    Returns
    -------
    Sample
        Unpacks into the points and their true coordinates.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.glyph(100)
    >>> X.shape, Z.shape
    ((100, 576), (100, 2))
    """
    return draw("glyph", n_points, noise, random_state, {"size": size, "edge": edge, "turn": turn})

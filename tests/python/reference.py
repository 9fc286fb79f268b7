"""The measures from their definitions, in plain numpy and scipy, one neighborhood at a time: slow and obvious."""
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.sparse.csgraph import shortest_path
from sklearn.isotonic import IsotonicRegression


def nearest(x, k, metric="euclidean"):
    """The n x (k + 1) matrix of neighborhoods: the center first, then the k nearest by (distance, row)."""
    distances = cdist(x, x, {"manhattan": "cityblock"}.get(metric, metric))
    np.fill_diagonal(distances, -1.0)
    return np.argsort(distances, axis=1, kind="stable")[:, : k + 1]


def centered(points):
    return points - points.mean(axis=0)


def rigid(x, y):
    """min over A with A'A = I and b of sum |x_j - A y_j - b|^2, and tr L with X'HY = U L V'."""
    x, y = centered(x), centered(y)
    if x.shape[1] < y.shape[1]:
        x = np.pad(x, ((0, 0), (0, y.shape[1] - x.shape[1])))
    left, values, right = np.linalg.svd(x.T @ y, full_matrices=False)
    return np.sum((x - y @ (left @ right).T) ** 2), values.sum()


def conformal(x, y):
    """As `rigid`, with the best scale c of y as well: c = tr L / |HY|^2."""
    _, trace = rigid(x, y)
    extent = np.sum(centered(y) ** 2)
    return rigid(x, y * (trace / extent))[0] if extent > 0 else np.sum(centered(x) ** 2)


def principal(x, dim):
    """The first `dim` principal coordinates of x."""
    _, _, axes = np.linalg.svd(centered(x), full_matrices=False)
    return centered(x) @ axes[:dim].T


def affine(x, y):
    """min over all B, b of sum |x_j - B y_j - b|^2."""
    design = np.column_stack([y, np.ones(len(y))])
    solution = np.linalg.lstsq(design, x, rcond=None)[0]
    return np.sum((x - design @ solution) ** 2)


def procrustes_measures(x, y, neighborhoods):
    """R, R_N, R_PCA, R_C, R_A, the bounds of R and R_N, and R_N point by point, for lists of rows."""
    dim = y.shape[1]
    sums = {name: [] for name in ("r", "r_n", "r_pca", "r_c", "r_a", "bound", "bound_n")}
    for rows in neighborhoods:
        a, b = x[rows], y[rows]
        extent = np.sum(centered(a) ** 2)
        left = np.sum((centered(a)) ** 2) - np.sum(principal(a, dim) ** 2)
        sums["r"].append(rigid(a, b)[0])
        sums["r_n"].append(rigid(a, b)[0] / extent)
        sums["r_pca"].append(rigid(principal(a, dim), b)[0])
        sums["r_c"].append(conformal(a, b) / extent)
        sums["r_a"].append(affine(a, b) / extent)
        sums["bound"].append(left)
        sums["bound_n"].append(left / extent)
    return {name: np.mean(values) for name, values in sums.items()} | {"per_point_r_n": np.array(sums["r_n"])}


def overlap(x, y, k):
    """The mean share of the k nearest in x that are among the k nearest in y."""
    pairs = zip(nearest(x, k), nearest(y, k))
    return np.mean([len(set(a[1:]) & set(b[1:])) / k for a, b in pairs])


def kept_over_scale(x, y):
    """Q_NX and R_NX at K = 1 to n - 2, from the co-ranking matrix: entry (a, b) counts the pairs of ranks a and b."""
    count = len(x)
    ranks = [np.argsort(nearest(points, count - 1), axis=1) for points in (x, y)]
    matrix = np.zeros((count, count))
    np.add.at(matrix, (ranks[0].ravel(), ranks[1].ravel()), 1)
    # The pair of each point with itself has rank 0 in both.
    both = matrix[1:, 1:].cumsum(axis=0).cumsum(axis=1)
    sizes = np.arange(1, count - 1)
    q = both[sizes - 1, sizes - 1] / (sizes * count)
    return q, ((count - 1) * q - sizes) / (count - 1 - sizes)


def graph_distances(x, k):
    """Shortest paths along the edges between each point and its k nearest, in either direction."""
    edges = np.full((len(x), len(x)), np.inf)
    for row in nearest(x, k):
        edges[row[0], row[1:]] = np.linalg.norm(x[row[1:]] - x[row[0]], axis=1)
    edges = np.minimum(edges, edges.T)
    return shortest_path(np.where(np.isinf(edges), 0.0, edges), directed=False)


def residual_variance(x, y, k):
    """1 - r^2, r the correlation of the graph distances of x with the distances of y."""
    upper = np.triu_indices(len(x), 1)
    return 1.0 - np.corrcoef(graph_distances(x, k)[upper], pdist(y))[0, 1] ** 2


def distortion(x, y, k):
    """The largest over the smallest ratio of path lengths from each point; both paths on the graph of x."""
    edges = np.zeros((len(x), len(x)), bool)
    for row in nearest(x, k):
        edges[row[0], row[1:]] = edges[row[1:], row[0]] = True
    lengths = [shortest_path(np.where(edges, squareform(pdist(points)), 0.0), directed=False) for points in (y, x)]
    np.fill_diagonal(lengths[1], np.nan)
    ratios = lengths[0] / lengths[1]
    return np.nanmax(ratios, axis=1) / np.nanmin(ratios, axis=1), np.nanmax(ratios), 1.0 / np.nanmin(ratios)


def kruskal_stress(x, y):
    """Kruskal's first stress: how far the distances of y are from a monotone function of those of x."""
    distances = pdist(y)
    fitted = IsotonicRegression().fit_transform(pdist(x), distances)
    return np.sqrt(np.sum((distances - fitted) ** 2) / np.sum(distances**2))

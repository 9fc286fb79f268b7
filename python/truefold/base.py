"""What estimators inherit: scikit-learn's classes where 1.6 or newer is there, a small stand-in where it is not."""
from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from . import errors

if TYPE_CHECKING:
    HAS_SKLEARN: bool
else:
    try:
        from sklearn.base import BaseEstimator as _BaseEstimator
        from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
        from sklearn.exceptions import NotFittedError as _NotFittedError
        from sklearn.utils.validation import validate_data

        class BaseEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _BaseEstimator):
            """scikit-learn's own: clone, tags, set_output, its display in notebooks."""

        class NotFittedError(errors.NotFittedError, _NotFittedError):
            """scikit-learn's own, and ours."""

        #: Parameters by name alone.
        Parameters = _BaseEstimator
        HAS_SKLEARN = True
    except ImportError:
        HAS_SKLEARN = False

if TYPE_CHECKING or not HAS_SKLEARN:
    NotFittedError = errors.NotFittedError  # noqa: F811

    class BaseEstimator:  # noqa: F811
        """Parameters by name, as scikit-learn has them, for where it is not installed."""

        @classmethod
        def _get_param_names(cls) -> list[str]:
            return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The parameters by name."""
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params: Any) -> Any:
            """Sets parameters by name."""
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"Invalid parameter {name!r} for {self}; valid parameters are {', '.join(known)}")
                setattr(self, name, value)
            return self

        def get_feature_names_out(self, input_features: Any = None) -> Any:
            """The names of the coordinates: the name of the class in lower case, and a number."""
            import numpy as np

            prefix = type(self).__name__.lower()
            names = [f"{prefix}{place}" for place in range(getattr(self, "_n_features_out"))]
            return np.asarray(names, dtype=object)

        def __repr__(self) -> str:
            signature = inspect.signature(type(self).__init__).parameters
            changed = [
                f"{name}={value!r}" for name, value in self.get_params().items() if value is not signature[name].default
            ]
            return f"{type(self).__name__}({', '.join(changed)})"

    Parameters = BaseEstimator  # noqa: F811


def check_columns(estimator: Any, X: Any) -> None:
    """An error, in scikit-learn's words, where the columns of X are not those of the fit; the compiled part has its own."""
    if HAS_SKLEARN:
        validate_data(estimator, X, reset=False, skip_check_array=True)

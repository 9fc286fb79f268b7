"""What estimators inherit: scikit-learn's classes where it is installed, a small stand-in where it is not."""
from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    HAS_SKLEARN: bool
else:
    try:
        from sklearn.base import BaseEstimator as _BaseEstimator
        from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

        class BaseEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _BaseEstimator):
            """scikit-learn's own: clone, tags, set_output, its display in notebooks."""

        HAS_SKLEARN = True
    except ImportError:
        HAS_SKLEARN = False

if TYPE_CHECKING or not HAS_SKLEARN:

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

"""The exceptions of the package: neardup.Error and its kinds."""

from __future__ import annotations


class Error(Exception):
    """Base of all errors of this package."""


class SettingsError(Error, ValueError):
    """A setting is unknown or has a wrong value; all problems are listed."""


class RuleError(Error):
    """The state was made under another rule, or has another format."""


class StateInUseError(Error):
    """Another process, or another object of this one, has the state open, or there is none."""


class ClosedError(Error):
    """The state was closed, or an earlier call has failed in the middle: open it again."""


class ForkError(Error):
    """The state was opened before a fork: one process owns a state, several use `Client`."""


class InputError(Error, ValueError):
    """Texts, ids or columns that cannot be used. Nothing of the call was stored; the first such row is named."""


class StorageError(Error):
    """The disk is full or a write failed. Batches that were committed before stay."""


class InternalError(Error):
    """A mistake of neardup: please report it."""


class ServiceError(Error):
    """A service refused a request: `status`, `reason` and `detail` as docs/api.md lists them."""

    def __init__(self, detail: str, status: int | None = None, reason: str | None = None) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail = status, reason, detail


class UnreachableError(ServiceError):
    """No answer came, after all retries. What was sent may be stored: resending it is safe."""


class UnsupportedError(ServiceError):
    """The service is older or newer than this client, and lacks or sends what the other does not know."""

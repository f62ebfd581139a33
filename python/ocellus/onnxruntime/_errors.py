# SPDX-License-Identifier: Apache-2.0
"""The exceptions of ONNX Runtime, by its codes and with the texts of Ocellus."""
from __future__ import annotations

from typing import Dict, Optional, Type

from .._library import Error


class OrtError(Error):
    """What all of them are. text and code are those of ocellus.Error, str() begins as ONNX Runtime's does."""
    number = 1
    word = 'FAIL'

    def __str__(self) -> str:
        return f'[ONNXRuntimeError] : {self.number} : {self.word} : {self.text}'


class Fail(OrtError):
    """What has no kind of its own: a deadline, a run that terminate has ended."""


class InvalidArgument(OrtError):
    """An input, an output, an option or a value is wrong."""
    number, word = 2, 'INVALID_ARGUMENT'


class NoSuchFile(OrtError):
    """A file that there is not, or that cannot be read."""
    number, word = 3, 'NO_SUCHFILE'


class NoModel(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 4, 'NO_MODEL'


class EngineError(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 5, 'ENGINE_ERROR'


class RuntimeException(OrtError):
    """A limit was hit, there is no memory, or it is asked for on another device."""
    number, word = 6, 'RUNTIME_EXCEPTION'


class InvalidProtobuf(OrtError):
    """The bytes are no model."""
    number, word = 7, 'INVALID_PROTOBUF'


class ModelLoaded(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 8, 'MODEL_LOADED'


class NotImplemented(OrtError):  # the name is ONNX Runtime's
    """An operator, a version, a type or a function is not supported."""
    number, word = 9, 'NOT_IMPLEMENTED'


class InvalidGraph(OrtError):
    """The model is not valid."""
    number, word = 10, 'INVALID_GRAPH'


class EPFail(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 11, 'EP_FAIL'


class ModelLoadCanceled(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 12, 'MODEL_LOAD_CANCELED'


class ModelRequiresCompilation(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 13, 'MODEL_REQUIRES_COMPILATION'


class NotFound(OrtError):
    """Of ONNX Runtime: never raised here."""
    number, word = 14, 'NOT_FOUND'


KINDS: Dict[str, Type[OrtError]] = {
    'ARGUMENT': InvalidArgument, 'IO': NoSuchFile, 'FORMAT': InvalidProtobuf, 'MODEL': InvalidGraph,
    'TYPE': InvalidArgument, 'SHAPE': InvalidArgument, 'VALUE': InvalidArgument, 'UNSUPPORTED': NotImplemented,
    'LIMIT': RuntimeException, 'NOMEM': RuntimeException, 'DEADLINE': Fail, 'CANCELLED': Fail}


class AsTheirs:
    """What is an ocellus.Error within comes out as ONNX Runtime's exception. A class or a code of the program's own stays."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, raised: Optional[BaseException], trace: object) -> None:
        if type(raised) is Error and raised.code in KINDS:
            raise KINDS[raised.code](raised.code, raised.text) from raised


as_theirs = AsTheirs()

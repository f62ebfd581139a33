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
    pass


class InvalidArgument(OrtError):
    number, word = 2, 'INVALID_ARGUMENT'


class NoSuchFile(OrtError):
    number, word = 3, 'NO_SUCHFILE'


class NoModel(OrtError):
    number, word = 4, 'NO_MODEL'


class EngineError(OrtError):
    number, word = 5, 'ENGINE_ERROR'


class RuntimeException(OrtError):
    number, word = 6, 'RUNTIME_EXCEPTION'


class InvalidProtobuf(OrtError):
    number, word = 7, 'INVALID_PROTOBUF'


class ModelLoaded(OrtError):
    number, word = 8, 'MODEL_LOADED'


class NotImplemented(OrtError):  # the name is ONNX Runtime's
    number, word = 9, 'NOT_IMPLEMENTED'


class InvalidGraph(OrtError):
    number, word = 10, 'INVALID_GRAPH'


class EPFail(OrtError):
    number, word = 11, 'EP_FAIL'


KINDS: Dict[str, Type[OrtError]] = {
    'ARGUMENT': InvalidArgument, 'IO': Fail, 'FORMAT': InvalidProtobuf, 'MODEL': InvalidGraph,
    'TYPE': InvalidArgument, 'SHAPE': InvalidArgument, 'VALUE': InvalidArgument, 'UNSUPPORTED': NotImplemented,
    'LIMIT': RuntimeException, 'NOMEM': RuntimeException, 'DEADLINE': Fail, 'CANCELLED': Fail}


class AsTheirs:
    """What is an ocellus.Error within comes out as ONNX Runtime's exception."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, raised: Optional[BaseException], trace: object) -> None:
        if isinstance(raised, Error) and not isinstance(raised, OrtError):
            raise KINDS[raised.code](raised.code, raised.text) from raised


as_theirs = AsTheirs()

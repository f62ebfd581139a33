# SPDX-License-Identifier: Apache-2.0
"""ONNX's own interface for engines, onnx.backend.base, so that its tools and tests run models with Ocellus. Needs the
package onnx, which everything else here does without.

    import ocellus.backend as backend
    outputs = backend.run_model(onnx.load('model.onnx'), [image])"""
from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np
import onnx
from onnx import helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from ._library import Error
from ._model import Model
from ._session import Session
from ._values import Array

BFLOAT16 = 'bfloat16'  # arrays have no such type: onnx gives and takes float32 where it can, we bits


def _narrow(given: Any) -> Array:
    """The bits of the bfloat16 next to each float32, ties to even; NaN stays one."""
    bits = np.asarray(given, np.float32).view(np.uint32)
    rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(given), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def _widen(bits: Any) -> Any:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    return [change(item) for item in value] if isinstance(value, list) else value if value is None else change(value)


class OcellusRep(BackendRep):
    """A model that is ready to run."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self, inputs: Union[Sequence[Any], Mapping[str, Any]], **kwargs: Any) -> Any:
        """Runs it on a list of arrays, in the order of the model's inputs, or a dict; gives a tuple of outputs, whose
        members have the outputs' names too."""
        ports = [p for p in self.session.inputs if not p.has_default]
        if not isinstance(inputs, Mapping):
            if len(inputs) > len(ports):
                ports = list(self.session.inputs)
            inputs = dict(zip([p.name for p in ports], inputs))
        types = {p.name: p.type for p in self.session.inputs}
        given = {name: _each(_narrow, value) if types.get(name) == BFLOAT16 and _is_float32(value) else value
                 for name, value in inputs.items()}
        found = self.session.run(given)
        values = [_each(_widen, found[p.name]) if p.type == BFLOAT16 else found[p.name] for p in self.session.outputs]
        return namedtupledict('Outputs', [p.name for p in self.session.outputs])(*values)


def _is_float32(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return bool(getattr(first, 'dtype', None) == np.float32)


class OcellusBackend(Backend):
    """Runs models with Ocellus."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = 'CPU', **kwargs: Any) -> bool:
        try:
            return cls.supports_device(device) and not any([o.support == 'none' for o in Model(model).operators])
        except Error:
            return False

    @classmethod
    def prepare(cls, model: Any, device: str = 'CPU', **kwargs: Any) -> OcellusRep:
        """kwargs are those of ocellus.Session. Raises ocellus.Error if the model cannot run."""
        if not cls.supports_device(device):
            raise Error('ARGUMENT', f'device {device!r}, expected CPU')
        return OcellusRep(Session(model, **kwargs))

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = 'CPU', **kwargs: Any) -> Any:
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node: Any, inputs: Any, device: str = 'CPU', outputs_info: Any = None, **kwargs: Any) -> Any:
        """Runs one node. kwargs may have opset_version, else the newest that onnx knows is meant."""
        opset = kwargs.pop('opset_version', onnx.defs.onnx_opset_version())
        names = [name for name in node.input if name]
        ports = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.asarray(value).dtype)
                                               if hasattr(helper, 'np_dtype_to_tensor_dtype')
                                               else onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[np.asarray(value).dtype], None)
                 for name, value in zip(names, inputs)]
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        graph = helper.make_graph([node], 'node', ports, outputs)
        model = helper.make_model(graph, opset_imports=[helper.make_operatorsetid('', opset)])
        return cls.prepare(model, device, **kwargs).run(dict(zip(names, inputs)))

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.split(':')[0] == 'CPU'


is_compatible = OcellusBackend.is_compatible
prepare = OcellusBackend.prepare
run_model = OcellusBackend.run_model
run_node = OcellusBackend.run_node
supports_device = OcellusBackend.supports_device

# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs that stay bound from run to run."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

import numpy as np

from .._values import type_name
from .._views import is_lent
from ._errors import InvalidArgument
from ._values import OrtDevice, OrtValue, array_at, element_type_of, on_processor

if TYPE_CHECKING:
    from ._session import InferenceSession


UNKNOWN = 'tensor(undefined)'  # of an output whose type the model does not declare


class IOBinding:
    """What run_with_iobinding of its session reads and writes."""

    def __init__(self, session: 'InferenceSession') -> None:
        self._types = {port.name: port.type for port in
                       (*session.get_inputs(), *session.get_overridable_initializers(), *session.get_outputs())}
        self._inputs: Dict[str, OrtValue] = {}
        self._outputs: Dict[str, Optional[OrtValue]] = {}  # None: memory that the run makes
        self._found: List[OrtValue] = []

    @property
    def _iobinding(self) -> 'IOBinding':
        """Where programs reach for what ONNX Runtime's own binding is made over."""
        return self

    def _type_of(self, name: str) -> str:
        if name not in self._types:
            raise InvalidArgument('ARGUMENT', f"the model has neither an input nor an output '{name}'")
        return self._types[name]

    def _typed(self, name: str, value: Any) -> OrtValue:
        return OrtValue(value, self._type_of(name))

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """The input is this array, which each run reads where it lies; one that a function was lent is copied."""
        is_array = isinstance(arr_on_cpu, np.ndarray)
        self._inputs[name] = self._typed(name, arr_on_cpu.copy() if is_array and is_lent(arr_on_cpu) else arr_on_cpu)

    def bind_input(self, name: str, device_type: Any, device_id: int, element_type: Any, shape: Sequence[int],
                   buffer_ptr: int) -> None:
        """The input lies at an address of the processor's memory."""
        on_processor(device_type)
        self._type_of(name)
        self._inputs[name] = OrtValue(array_at(buffer_ptr, element_type, shape),
                                      f'tensor({type_name(element_type_of(element_type))})')

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """The input is this value."""
        self._type_of(name)
        self._inputs[name] = ortvalue

    def bind_output(self, name: str, device_type: Any = 'cpu', device_id: int = 0, element_type: Any = None,
                    shape: Optional[Sequence[int]] = None, buffer_ptr: Optional[int] = None) -> None:
        """The output goes to that address, or where there is none into memory that each run makes."""
        on_processor(device_type)
        if buffer_ptr is None:
            self._type_of(name)
            self._outputs[name] = None
            return
        if element_type is None or shape is None:
            raise ValueError('`element_type` and `shape` are to be provided with `buffer_ptr`')
        self._type_of(name)
        self._outputs[name] = OrtValue(array_at(buffer_ptr, element_type, shape),
                                       f'tensor({type_name(element_type_of(element_type))})')

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """The output goes into that tensor."""
        self._type_of(name)
        self._outputs[name] = ortvalue

    def synchronize_inputs(self) -> None:
        """Nothing is to be waited for."""

    def synchronize_outputs(self) -> None:
        """Nothing is to be waited for."""

    def get_outputs(self) -> List[OrtValue]:
        """The outputs of the last run, in the order in which they were bound."""
        return list(self._found)

    def get_outputs_as_ortvaluevector(self) -> List[OrtValue]:
        """The same."""
        return self.get_outputs()

    def copy_outputs_to_cpu(self) -> List[Any]:
        """The arrays of these outputs."""
        return [value._value for value in self._found]

    def clear_binding_inputs(self) -> None:
        """No input is bound."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """No output is bound, and those of the last run are let go."""
        self._outputs.clear()
        self._found = []

    def _targets(self) -> Dict[str, np.ndarray[Any, Any]]:
        """Outputs which a run may write in place: dense ones, in which no input and no other output lies. Each value that
        an output is bound to has the output's type, else InvalidArgument."""
        found: Dict[str, np.ndarray[Any, Any]] = {}
        for name, value in self._outputs.items():
            if value is not None and not value._has_type(self._types[name]) and self._types[name] != UNKNOWN:
                raise InvalidArgument('TYPE', f"output '{name}' is {self._types[name]}, but {value._type or 'none'} is bound")
        others = [value._value for value in self._inputs.values() if isinstance(value._value, np.ndarray)]
        for name, value in self._outputs.items():
            array = value._value if value is not None else None
            if isinstance(array, np.ndarray) and array.flags.carray and array.dtype != object:
                if not any([np.may_share_memory(array, other) for other in (*others, *found.values())]):
                    found[name] = array
        return found

    def _take(self, results: Dict[str, Any]) -> None:
        found = []
        for name, bound in self._outputs.items():
            result = results[name]
            if bound is None:
                bound = OrtValue(result, self._types[name])
            elif result is not bound._value:
                bound._write(result, f"output '{name}'")
            found.append(bound)
        self._found = found


__all__ = ['IOBinding', 'OrtDevice']

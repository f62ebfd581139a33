# SPDX-License-Identifier: Apache-2.0
"""Ocellus runs ONNX models: a small interpreter for vision operators.

    import ocellus
    session = ocellus.Session('model.onnx')
    result = session.run({'image': picture})   # numpy arrays in, numpy arrays out
    result['warped']

Session runs a model, Predictor tells what one says of photographs, Model tells what one is, Error is what goes wrong. The library libocellus does the work; this
package needs numpy and no compiler. ocellus.onnxruntime is ONNX Runtime's interface over it; ocellus.backend lets ONNX's
own tools run models with it."""
from ._answer import Answer, Found
from ._custom import Call, CustomOp
from ._library import Error, publish, version
from ._model import Attribute, Function, Model, Node, Operator, Port, Problem, Weight
from ._node import NodeEvent, NodeTime, Profile
from ._predictor import Predictor
from ._session import Session, Stats

__version__ = version()
__all__ = ['Answer', 'Attribute', 'Call', 'CustomOp', 'Error', 'Found', 'Function', 'Model', 'Node', 'NodeEvent', 'NodeTime', 'Operator', 'Port',
           'Predictor', 'Problem', 'Profile', 'Session', 'Stats', 'Weight', 'version']
publish(globals())

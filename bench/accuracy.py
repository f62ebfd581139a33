# SPDX-License-Identifier: Apache-2.0
"""accuracy.py - how far a network of 8 bits or of float16 is from the float one, and from another engine's result.

Distances are in steps of the output's scale: a 255th of the range of the float network's output, 0 included."""
import collections
import pathlib
import subprocess
import sys
import tempfile

import players

HERE = pathlib.Path(__file__).resolve().parent
PRODUCTS = {'Conv', 'ConvTranspose', 'Gemm', 'MatMul', 'FusedConv', 'FusedGemm', 'FusedMatMul'}
INTEGER_PRODUCTS = {'QLinearConv', 'QLinearMatMul', 'QGemm', 'ConvInteger', 'MatMulInteger', 'MatMulIntegerToFloat',
                    'DynamicQuantizeMatMul'}


def engines_of(command, modules):
    """The two engines as functions of a file and its inputs, which give the outputs by name."""
    sys.path.append(str(HERE.parent / 'tests' / 'oracle'))
    import engines

    def outputs_of(engine):
        def run(path, arrays):
            try:
                return engine(path, arrays, 0).outputs
            except engines.Failed as error:
                raise players.Failed(str(error)) from error
        return run
    return outputs_of(engines.Ocellus(command)), outputs_of(engines.OnnxRuntime(modules))


def step_of(reference):
    span = max(float(reference.max()), 0) - min(float(reference.min()), 0)
    return span / 255 or 1.0


def distance(ours, theirs, reference):
    """The largest and the mean difference of all float outputs, in steps; None where the shapes differ."""
    import numpy as np
    steps = []
    for name, array in reference.items():
        a, b = ours[name], theirs[name]
        if array.dtype != np.float32 or not array.size:
            continue
        if a.shape != b.shape:
            return None
        steps.append(np.abs(a.astype(np.float64) - b).ravel() / step_of(array))
    joined = np.concatenate(steps) if steps else np.zeros(1)
    return float(joined.max()), float(joined.mean())


def compare(network, arrays, run_own, run_peer):
    """Distances: 'own' and 'peer' from the float network, 'between' the two engines."""
    reference, own = run_own(network.source, arrays), run_own(network.path, arrays)
    peer = run_peer(network.path, arrays) if run_peer else None
    return {'own': distance(own, reference, reference),
            'peer': peer and distance(peer, reference, reference),
            'between': peer and distance(own, peer, reference)}


def count_products(node, modules, path):
    """Products in the network as ONNX Runtime rewrote it: those in integers, and all."""
    import onnx
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([node, HERE / 'peer_ort.js', modules, '--save', f'{folder}/m.onnx', path],
                              capture_output=True, text=True)
        if done.returncode:
            return None
        graph = onnx.load(f'{folder}/m.onnx', load_external_data=False).graph
    kinds = collections.Counter(n.op_type for n in graph.node)
    integer = sum(kinds[k] for k in INTEGER_PRODUCTS)
    return integer, integer + sum(kinds[k] for k in PRODUCTS)

// SPDX-License-Identifier: Apache-2.0
//
// recurrent.js - LSTM, GRU and RNN. Left out is what ONNX leaves open (sequences without a step, Affine
// and ScaledTanh without alpha or beta) and what ONNX Runtime refuses (layout 1) or lets overflow (Softplus). Sequences are short and
// weights small, and gates bounded, so that no difference grows from step to step.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float }) => {
    const FUNCTIONS = ['Relu', 'Tanh', 'Sigmoid', 'Affine', 'LeakyRelu', 'ThresholdedRelu', 'ScaledTanh',
        'HardSigmoid', 'Elu', 'Softsign'];
    const BOUNDED = ['Tanh', 'Sigmoid', 'HardSigmoid', 'Softsign'];
    const ALPHA = ['Affine', 'LeakyRelu', 'ThresholdedRelu', 'ScaledTanh', 'HardSigmoid', 'Elu'];
    const BETA = ['Affine', 'ScaledTanh', 'HardSigmoid'];

    const small = (dims) => given('float', dims,
        tensor('float', dims, true).list.map((x) => Math.sin(Number(x)) / 3));
    const maybe = (make) => (below(2) ? make() : null);

    // Functions, those of the gates bounded, with an alpha and a beta for each that has them.
    function functions(n, each) {
        if (below(3) === 0)
            return {};
        const names = Array.from({ length: n }, (_, i) => pick(each > 1 && i % each === 0 ? BOUNDED : FUNCTIONS));
        const numbers = (has) => names.filter((f) => has.includes(f)).map(() => float((1 + below(10)) / 10));
        const [alpha, beta] = [numbers(ALPHA), numbers(BETA)];
        return { activations: names, activation_alpha: alpha.length ? alpha : undefined,
            activation_beta: beta.length ? beta : undefined };
    }

    const recurrent = (op, gates, each) => () => {
        const direction = pick(['forward', 'reverse', 'bidirectional']), d = direction === 'bidirectional' ? 2 : 1;
        const [steps, batch, input, hidden] = [pick([1, 2, 5, 9]), pick([1, 2, 3, 6]), pick([1, 3, 8, 20]),
            pick([1, 2, 5, 16, 33, 70])];
        const opset = pick([7, 14]), layout = 0;
        const state = () => small([d, batch, hidden]);
        const inputs = [small([steps, batch, input]), small([d, gates * hidden, input]),
            small([d, gates * hidden, hidden]), maybe(() => small([d, 2 * gates * hidden])),
            maybe(() => given('int32', [batch], Array.from({ length: batch }, () => 1 + below(steps)))),
            maybe(state)];
        if (op === 'LSTM')
            inputs.push(maybe(state), maybe(() => small([d, 3 * hidden])));
        return { op, opset, inputs, out: op === 'LSTM' ? ['float', 'float', 'float'] : ['float', 'float'],
            loose: 1e-3,
            attrs: attrs({ direction, hidden_size: hidden, layout: opset >= 14 ? layout : undefined,
                clip: below(4) ? undefined : float((1 + below(30)) / 10),
                input_forget: op === 'LSTM' ? below(2) : undefined,
                linear_before_reset: op === 'GRU' ? below(2) : undefined, ...functions(each * d, each) }) };
    };
    return [recurrent('LSTM', 4, 3), recurrent('GRU', 3, 2), recurrent('RNN', 1, 1)];
};

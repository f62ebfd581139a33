# SPDX-License-Identifier: Apache-2.0
"""search_defects.py - bodies with the defects that functions/KNOWN.md lists, for search.py.

Each is the standard's text of an operator where that is short, else the body of functions with what the page names put
back: NAME: (operator, options or text or edits, words of what a search has to find)."""

STANDARD = ['--standard']


def whole(head, nodes, opset=18):
    return f'<domain: "", opset_import: ["" : {opset}]>\n{head}\n{{\n{nodes}\n}}\n'


def edits(path, *pairs):
    """The path of a body, and what is replaced in it."""
    return path, pairs


ADD_MINUS_1 = ('{\n', '{\n  minus_1 = Constant <value_ints: ints = [-1]> ()\n')
# Attention and FlexAttention have these lines in common.
WEIGHTS = ('''  weights = Where (is_out, zero, weights_)''', '''  weights = Identity (weights_)''')
FINITE = ('''  is_finite = Equal (v_sum, zero)''', '''  is_finite = Equal (zero, zero)''')
ROOT = ('''  q_scaled = Mul (q, scale_factor)
''', '''  scale_root = Sqrt (scale_factor)
  q_scaled = Mul (q, scale_root)
'''), ('''  k_transposed = Transpose <perm: ints = [0, 1, 3, 2]> (k)
''', '''  k_scaled = Mul (k, scale_root)
  k_transposed = Transpose <perm: ints = [0, 1, 3, 2]> (k_scaled)
''')
FLOAT_SCALE = ('size_ = Cast <to: int = 11> (size)', 'size_ = Cast <to: int = 1> (size)')
VARIANCE = ('square = Mul (deviation, deviation)', 'square = Mul ({x}, {x})')
MEAN = ('mean = Where (is_finite, mended, mean_)', 'mean = Identity (mean_)')


def variance(x, reduce):
    return MEAN, (VARIANCE[0], VARIANCE[1].format(x=x)), (f'  variance = {reduce}', f'''  mean_of_square = {reduce}
  square_of_mean = Mul (mean_, mean_)
  variance = Sub (mean_of_square, square_of_mean)''')


BODIES = {
    'AffineGrid': ('AffineGrid', STANDARD, ['is nan, expected', "(Reshape-19): ", 'e+']),
    'AffineGrid, one image': ('AffineGrid', STANDARD, ["'AffineGrid/r11' (Split"]),
    'Bernoulli': ('Bernoulli', STANDARD, ['is 1, expected 0', 'is 0, expected 1']),
    'Bernoulli, drawn in float16': ('Bernoulli', edits('Bernoulli.15.repaired.onnxtxt', ('probability = Cast <to: int = 11> (input)', 'probability = Identity (input)')), ['expected']),
    'Clip': ('Clip', STANDARD, ["input 1 'X' is bfloat16"]),
    'Attention, no key': ('Attention', edits('Attention.23.onnxtxt', WEIGHTS), ['is nan, expected 0']),
    'Attention, values without weight': ('Attention', edits('Attention.23.onnxtxt', FINITE), ['is nan, expected']),
    'Attention, keys that are masked': ('Attention', edits('Attention.23.onnxtxt', (
        '  masked_by_mask = Where (mask, capped, minus_infinity)', '''  bias_of_mask = Where (mask, zero, minus_infinity)
  masked_by_mask = Add (capped, bias_of_mask)''')), ['is nan, expected']),
    'Attention, root of the scale': ('Attention', edits('Attention.23.onnxtxt', *ROOT), ['is nan, expected']),
    'Attention, scale in float': ('Attention', edits('Attention.23.onnxtxt', FLOAT_SCALE), [' double ']),
    'Attention, width': ('Attention', edits('Attention.23.onnxtxt', ADD_MINUS_1, (
        '(batch, queries, y_width)', '(batch, queries, minus_1)')), ['(Reshape-']),
    'FlexAttention, no key': ('ai.onnx.preview::FlexAttention', edits('FlexAttention.1.onnxtxt', WEIGHTS), ['is nan, expected 0']),
    'FlexAttention, values without weight': ('ai.onnx.preview::FlexAttention', edits('FlexAttention.1.onnxtxt', FINITE), ['is nan, expected']),
    'FlexAttention, root of the scale': ('ai.onnx.preview::FlexAttention', edits('FlexAttention.1.onnxtxt', *ROOT), ['is nan, expected']),
    'FlexAttention, scale in float': ('ai.onnx.preview::FlexAttention', edits('FlexAttention.1.onnxtxt', FLOAT_SCALE), [' double ']),
    'CausalConvWithState': ('CausalConvWithState', edits('CausalConvWithState.27.onnxtxt', (
        '  gate = Sigmoid (y)\n  gated = Mul (y, gate)', '''  rounded = CastLike (y, input)
  again = Cast <to: int = 1> (rounded)
  gate = Sigmoid (again)
  gated = Mul (again, gate)''')), ['is nan, expected']),
    'HardSwish': ('HardSwish', whole('HardSwish (X) => (Y)', '''  gate = HardSigmoid <alpha = 0.16666667163372, beta = 0.5> (X)
  Y = Mul (X, gate)''', 14), [' double (']),
    'Shrink': ('Shrink', whole('Shrink <bias: float = 0.0, lambd: float = 0.5> (x) => (y)', '''  lambd_ = Constant <value_float: float = @lambd> ()
  bias_ = Constant <value_float: float = @bias> ()
  zero_ = Constant <value_float: float = 0.0> ()
  lambd = CastLike (lambd_, x)
  bias = CastLike (bias_, x)
  zero = CastLike (zero_, x)
  lower = Neg (lambd)
  is_below = Less (x, lower)
  raised = Add (x, bias)
  lowered = Sub (x, bias)
  is_above = Less (lambd, x)
  above = Where (is_above, lowered, zero)
  y = Where (is_below, raised, above)'''), [' int', "is uint"]),
    'Softplus': ('Softplus', whole('Softplus (X) => (Y)', '''  one_ = Constant <value_float: float = 1.0> ()
  one = CastLike (one_, X)
  power = Exp (X)
  sum = Add (power, one)
  Y = Log (sum)'''), ['is inf, expected']),
    'LayerNormalization, variance': ('LayerNormalization', edits('LayerNormalization.17.onnxtxt', *variance(
        'rows', 'ReduceMean <axes: ints = [1]> (square)')), ['is nan, expected']),
    'LayerNormalization, scale': ('LayerNormalization', edits('LayerNormalization.17.onnxtxt', (
        '  normalized = Reshape <allowzero: int = 1> (normalized_rows, shape)', '''  scale_row = Flatten <axis: int = 0> (Scale)
  scaled_rows = Mul (normalized_rows, scale_row)
  scaled_ = Reshape <allowzero: int = 1> (scaled_rows, shape)'''),
        ('  scaled = Mul (normalized, Scale)', '  scaled = Identity (scaled_)'),
        ('  Y = Mul (normalized, Scale)', '  Y = Identity (scaled_)')), ['(Mul-']),
    'LayerNormalization, zero': ('LayerNormalization', edits('LayerNormalization.17.onnxtxt', (
        'Reshape <allowzero: int = 1> (normalized_rows', 'Reshape (normalized_rows')), ['(Reshape-']),
    'GroupNormalization, variance': ('GroupNormalization', edits('GroupNormalization.21.onnxtxt', *variance(
        'groups', 'ReduceMean (square, axes)')), ['is nan, expected']),
    'GroupNormalization, no images': ('GroupNormalization', edits('GroupNormalization.21.onnxtxt', ADD_MINUS_1, (
        '(batch, num_groups, channels_of_each, places)', '(batch, num_groups, minus_1)'), (
        'groups_rank = Add (rank, one)', 'groups_rank = Add (two, one)')), ['(Reshape-']),
    'LinearAttention': ('LinearAttention', edits('LinearAttention.27.onnxtxt', ADD_MINUS_1, (
        '(tokens, heads, queries_of_head, key_size)', '(tokens, heads, queries_of_head, minus_1)')), ['(Reshape-']),
    'NegativeLogLikelihoodLoss': ('NegativeLogLikelihoodLoss', edits('NegativeLogLikelihoodLoss.13.onnxtxt', (
        'wide = Cast <to: int = 11> (at_class)', 'wide = Identity (at_class)'), (
        'weight_of_all = Cast <to: int = 11> (weight_of_all_)', 'weight_of_all = Identity (weight_of_all_)'), (
        'weight_of_all = ConstantOfShape', 'weight_of_each = ConstantOfShape'), ('(target_shape)\n', '''(target_shape)
  weight_of_all = Cast <to: int = $input> (weight_of_each)
'''), ('  zero = Constant <value: tensor = double {0}> ()', '''  zero_ = Constant <value: tensor = double {0}> ()
  zero = Cast <to: int = $input> (zero_)''')), ['inf, expected']),
    'SoftmaxCrossEntropyLoss': ('SoftmaxCrossEntropyLoss', edits('SoftmaxCrossEntropyLoss.13.onnxtxt', (
        'x = Cast <to: int = 11> (scores)', 'x = Identity (scores)'), (
        'weights_w = Cast <to: int = 11> (weights)', 'weights_w = Identity (weights)')), ['is bfloat16']),
    'MeanVarianceNormalization': ('MeanVarianceNormalization', whole('MeanVarianceNormalization <axes: ints = [0, 2, 3]> (X) => (Y)', '''  two = Constant <value: tensor = float {2}> ()
  epsilon = Constant <value: tensor = float {1e-09}> ()
  mean = ReduceMean <axes: ints = @axes> (X)
  mean_squared = Pow (mean, two)
  squared = Pow (X, two)
  mean_of_squared = ReduceMean <axes: ints = @axes> (squared)
  variance = Sub (mean_of_squared, mean_squared)
  std = Sqrt (variance)
  deviation = Sub (X, mean)
  divisor = Add (std, epsilon)
  Y = Div (deviation, divisor)''', 13), ['is nan, expected', '(Add-']),
    'Range': ('Range', whole('Range (start, limit, delta) => (Y)', '''  distance = Sub (limit, start)
  distance_f = Cast <to: int = 1> (distance)
  delta_f = Cast <to: int = 1> (delta)
  quotient = Div (distance_f, delta_f)
  steps = Ceil (quotient)
  not_negative = Relu (steps)
  n = Cast <to: int = 7> (not_negative)
  is_any = Cast <to: int = 9> (not_negative)
  last, Y = Loop (n, is_any, start) <body: graph = step (int64 i, bool before, sum) => (bool after, next, each) {
    after = Identity (before)
    next = Add (sum, delta)
    each = Identity (sum)
  }>''', 13), ['y0: ', 'expected']),
}

# Found within a minute, too long for a test.
LONG = ['AffineGrid, one image', 'Attention, width', 'NegativeLogLikelihoodLoss']

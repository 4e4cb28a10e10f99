//! The shape of a model, and its weights as the network reads them: most of them in eight bits, made while the file is read.

use std::io::{Read, Seek};

use guardengine_matmul::{DenseLinear, Int8Linear, Int8Vector, quantize};
use rten_simd::SimdOp as _;
use rten_tensor::NdTensorView;
use rten_vecmath::{Normalize, NormalizeOptions, Sum, SumSquareSub};

use super::model_file::{ModelFile, Reason};

/// Added to the variance of a state, so that nothing is divided by zero.
const EPSILON: f32 = 1e-5;
/// Activation functions of CTranslate2: GELU with the error function.
const GELU: i64 = 3;
/// Upper limits, those of Whisper's largest model.
const MAX_WIDTH: usize = 1280;
const MAX_MELS: usize = 128;
const MAX_LAYERS: usize = 32;
/// Positions of the encoder: thirty seconds.
pub const AUDIO_POSITIONS: usize = 1500;
/// Positions of the decoder.
pub const TEXT_POSITIONS: usize = 448;
/// Width of the inner layer of a feed-forward network, as a multiple of the state's.
const INNER: usize = 4;
/// Frames that a convolution reads.
pub const KERNEL: usize = 3;

/// Sizes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Numbers of a state.
    pub width: usize,
    /// Attention heads of each layer.
    pub heads: usize,
    /// Bands of the spectrogram.
    pub mels: usize,
    /// Tokens.
    pub vocabulary: usize,
}

/// Brings a state to mean 0 and variance 1, then to learned ones.
pub struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Shape {
    /// Reads the sizes from those of the variables.
    pub fn of<F: Read + Seek>(file: &mut ModelFile<F>) -> Result<Self, Reason> {
        let [width, mels, KERNEL] = *file.sizes("encoder/conv1/weight")? else {
            return Err(format!("has encoder/conv1/weight of other sizes than width, bands and {KERNEL}"));
        };
        let [vocabulary, _] = *file.sizes("decoder/embeddings/weight")? else {
            return Err("has decoder/embeddings/weight of other sizes than tokens and width".to_owned());
        };
        if !(1..=MAX_MELS).contains(&mels) {
            return Err(format!("has {mels} bands; 1 to {MAX_MELS} are accepted"));
        }
        let heads = file.integer("encoder/num_heads")?;
        let heads = usize::try_from(heads).ok().filter(|heads| (1..=width).contains(heads));
        let heads = heads.filter(|heads| width.is_multiple_of(*heads) && (1..=MAX_WIDTH).contains(&width));
        let heads = heads.ok_or_else(|| format!("has an unsupported width of {width} or number of heads"))?;
        if file.integer("decoder/num_heads")? != heads as i64 || file.integer("decoder/activation")? != GELU {
            return Err("has an unsupported decoder".to_owned());
        }
        if file.has("decoder/projection/weight") {
            return Err("has a projection of its own, which is not supported".to_owned());
        }
        Ok(Self { width, heads, mels, vocabulary })
    }

    /// Width of a feed-forward network's inner layer.
    pub const fn inner(&self) -> usize {
        self.width * INNER
    }

    /// Numbers of a head.
    pub const fn depth(&self) -> usize {
        self.width / self.heads
    }
}

/// Returns how many layers `encoder` or `decoder` has.
pub fn layers<F: Read + Seek>(file: &ModelFile<F>, part: &str) -> Result<usize, Reason> {
    let is_layer = |number: &usize| file.has(&format!("{part}/layer_{number}/ffn/linear_0/weight"));
    let count = (0..=MAX_LAYERS).take_while(is_layer).count();
    if (1..=MAX_LAYERS).contains(&count) {
        Ok(count)
    } else {
        Err(format!("has too few or too many layers in its {part}"))
    }
}

/// Reads weights of eight bits for many states at a time.
pub fn linear<F: Read + Seek>(
    file: &mut ModelFile<F>,
    name: &str,
    [inputs, outputs]: [usize; 2],
) -> Result<Int8Linear, Reason> {
    let (weights, scales) = quantized(file, &format!("{name}/weight"), [outputs, inputs])?;
    let rows = NdTensorView::from_data([outputs, inputs], weights.as_slice());
    Ok(Int8Linear::new(rows.transposed(), scales, file.floats(&format!("{name}/bias"), &[outputs])?))
}

/// Reads weights of eight bits for one state at a time.
pub fn vector<F: Read + Seek>(
    file: &mut ModelFile<F>,
    name: &str,
    [inputs, outputs]: [usize; 2],
) -> Result<Int8Vector, Reason> {
    let (weights, scales) = quantized(file, &format!("{name}/weight"), [outputs, inputs])?;
    Ok(Int8Vector::new(weights, scales, file.floats(&format!("{name}/bias"), &[outputs])?))
}

/// Reads embeddings, which are the weights of the output too.
pub fn embeddings<F: Read + Seek>(
    file: &mut ModelFile<F>,
    name: &str,
    [inputs, outputs]: [usize; 2],
) -> Result<Int8Vector, Reason> {
    let (weights, scales) = quantized(file, name, [outputs, inputs])?;
    Ok(Int8Vector::new(weights, scales, vec![0.0; outputs]))
}

fn quantized<F: Read + Seek>(
    file: &mut ModelFile<F>,
    name: &str,
    sizes: [usize; 2],
) -> Result<(Vec<i8>, Vec<f32>), Reason> {
    let (mut weights, mut scales) = (Vec::new(), Vec::new());
    file.rows(name, &sizes, |row| scales.push(quantize(row, &mut weights)))?;
    Ok((weights, scales))
}

/// Reads a convolution over [`KERNEL`] frames of `inputs` numbers, for frames that follow each other.
pub fn convolution<F: Read + Seek>(
    file: &mut ModelFile<F>,
    name: &str,
    [inputs, outputs]: [usize; 2],
) -> Result<DenseLinear, Reason> {
    let weights = file.floats(&format!("{name}/weight"), &[outputs, inputs, KERNEL])?;
    // From (output, input, frame) to (frame, input, output).
    let weight =
        |(frame, input, output): (usize, usize, usize)| weights[(output * inputs + input) * KERNEL + frame];
    let mut turned = Vec::with_capacity(weights.len());
    for frame in 0..KERNEL {
        for input in 0..inputs {
            turned.extend((0..outputs).map(|output| weight((frame, input, output))));
        }
    }
    let rows = NdTensorView::from_data([KERNEL * inputs, outputs], turned.as_slice());
    Ok(DenseLinear::new(rows, file.floats(&format!("{name}/bias"), &[outputs])?))
}

impl Norm {
    /// Reads a normalization.
    pub fn read<F: Read + Seek>(file: &mut ModelFile<F>, name: &str, width: usize) -> Result<Self, Reason> {
        let mut part = |part: &str| file.floats(&format!("{name}/{part}"), &[width]);
        Ok(Self { weight: part("gamma")?, bias: part("beta")? })
    }

    /// Writes the normalized `states` to `to`.
    pub fn set(&self, states: &[f32], to: &mut [f32]) {
        let width = self.weight.len();
        for (state, to) in states.chunks_exact(width).zip(to.chunks_exact_mut(width)) {
            to.copy_from_slice(state);
            let mean = Sum::new(state).dispatch() / width as f32;
            let variance = SumSquareSub::new(state, mean).dispatch() / width as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: (variance + EPSILON).sqrt().recip(),
                element_scale: Some(&self.weight),
                element_bias: Some(&self.bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(to, options).dispatch();
        }
    }
}

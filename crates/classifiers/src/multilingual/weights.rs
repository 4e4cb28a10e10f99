//! Reads the weights file, a safetensors file as `training/multilingual/FORMAT.md` describes it.
//!
//! Nothing is trusted: type, shape and range of everything are checked here, so that no later step can fail.

use guardengine_matmul::{DenseLinear, Int8Linear};
use rten_tensor::NdTensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use super::config::Config;

/// The reason why a weights file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It is no safetensors file, is cut off, or lacks a tensor.
    #[error("the weights file cannot be read: {0}")]
    File(#[from] SafeTensorError),
    /// Its metadata has no entry `config`.
    #[error("the metadata of the weights file has no entry \"config\"")]
    NoConfig,
    /// Its entry `config` cannot be read.
    #[error("the entry \"config\" of the weights file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The combination cannot be read.
    #[error("the combination cannot be read: {0}")]
    Combination(#[source] serde_json::Error),
    /// A value of its entry `config`, or of the combination, is out of range.
    #[error("{key}: expected {expected}, got {found}")]
    Config {
        /// Path of the value.
        key: &'static str,
        /// The value or type that the file has.
        found: String,
        /// The accepted values or type.
        expected: String,
    },
    /// A tensor has another type or shape.
    #[error("{name}: expected {expected}, got {found}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// The value or type that the file has.
        found: String,
        /// The accepted values or type.
        expected: String,
    },
    /// A tensor holds an infinite number or none.
    #[error("{name}: expected finite numbers")]
    NotFinite {
        /// Name of the tensor.
        name: String,
    },
    /// A piece of the vocabulary cannot be used.
    #[error("piece {piece}: {reason}")]
    Piece {
        /// Its id.
        piece: usize,
        /// The reason.
        reason: &'static str,
    },
}

/// The tensors of a file.
pub struct WeightsFile<'f> {
    tensors: SafeTensors<'f>,
    config: String,
}

impl<'f> WeightsFile<'f> {
    /// Reads the header; tensors are read when they are asked for.
    pub fn new(file: &'f [u8]) -> Result<Self, WeightsError> {
        let (_, header) = SafeTensors::read_metadata(file)?;
        let entries = header.metadata().as_ref().and_then(|entries| entries.get("config"));
        let config = entries.ok_or(WeightsError::NoConfig)?.clone();
        Ok(Self { tensors: SafeTensors::deserialize(file)?, config })
    }

    /// The entry `config`.
    pub fn config(&self) -> Result<Config, WeightsError> {
        Config::parse(&self.config)
    }

    /// The bytes of a tensor of that type and shape.
    pub fn bytes(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&'f [u8], WeightsError> {
        let tensor = self.tensors.tensor(name)?;
        if tensor.dtype() == dtype && tensor.shape() == shape {
            return Ok(tensor.data());
        }
        Err(WeightsError::Tensor {
            name: name.to_owned(),
            found: format!("{:?} {:?}", tensor.dtype(), tensor.shape()),
            expected: format!("{dtype:?} {shape:?}"),
        })
    }

    /// The bytes of a tensor of one dimension, however long.
    pub fn text(&self, name: &str) -> Result<&'f [u8], WeightsError> {
        let length = self.tensors.tensor(name)?.shape().first().copied().unwrap_or(0);
        self.bytes(name, Dtype::U8, &[length])
    }

    /// Unsigned numbers of 32 bits.
    pub fn unsigned(&self, name: &str, shape: &[usize]) -> Result<Vec<u32>, WeightsError> {
        let (numbers, _) = self.bytes(name, Dtype::U32, shape)?.as_chunks();
        Ok(numbers.iter().copied().map(u32::from_le_bytes).collect())
    }

    /// Finite numbers of 32 bits.
    pub fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, WeightsError> {
        let (numbers, _) = self.bytes(name, Dtype::F32, shape)?.as_chunks();
        let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            Err(WeightsError::NotFinite { name: name.to_owned() })
        }
    }

    /// Layers of eight bits that read the same input, as one whose outputs follow each other.
    pub fn int8_linear(
        &self,
        names: &[String],
        [inputs, outputs]: [usize; 2],
    ) -> Result<Int8Linear, WeightsError> {
        let mut bias = Vec::with_capacity(names.len() * outputs);
        for name in names {
            bias.extend(self.floats(&format!("{name}.bias"), &[outputs])?);
        }
        self.int8_matrix(names, [inputs, outputs], bias)
    }

    /// The same, with a bias from elsewhere.
    pub fn int8_matrix(
        &self,
        names: &[String],
        [inputs, outputs]: [usize; 2],
        bias: Vec<f32>,
    ) -> Result<Int8Linear, WeightsError> {
        let (mut weights, mut scales) = (Vec::new(), Vec::new());
        for name in names {
            let bytes = self.bytes(&format!("{name}.weight"), Dtype::I8, &[outputs, inputs])?;
            weights.extend(bytes.iter().map(|byte| byte.cast_signed()));
            scales.extend(self.floats(&format!("{name}.scale"), &[outputs])?);
        }
        let rows = NdTensorView::from_data([names.len() * outputs, inputs], weights.as_slice());
        Ok(Int8Linear::new(rows.transposed(), scales, bias))
    }

    /// A layer of 32 bits.
    pub fn dense_linear(
        &self,
        name: &str,
        [inputs, outputs]: [usize; 2],
    ) -> Result<DenseLinear, WeightsError> {
        let weights = self.floats(&format!("{name}.weight"), &[outputs, inputs])?;
        let rows = NdTensorView::from_data([outputs, inputs], weights.as_slice());
        Ok(DenseLinear::new(rows.transposed(), self.floats(&format!("{name}.bias"), &[outputs])?))
    }
}

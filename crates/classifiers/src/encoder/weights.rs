//! The file of weights: safetensors, with the names that `training/encoder/export.py` gives.

use guardengine_matmul::{DenseLinear, Int8Linear};
use rten_tensor::NdTensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors, tensor::TensorView};

/// The weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Misshapen {
    /// It is no such file, or lacks a tensor.
    #[error(transparent)]
    File(#[from] SafeTensorError),
    /// A tensor is of another type or shape.
    #[error("{name} is {found}, not {expected}")]
    Tensor {
        /// Its name.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// The tensors of a file.
pub struct Weights<'f>(SafeTensors<'f>);

impl<'f> Weights<'f> {
    /// Reads the file's head; tensors are read when they are asked for.
    pub fn new(file: &'f [u8]) -> Result<Self, Misshapen> {
        Ok(Self(SafeTensors::deserialize(file)?))
    }

    /// Whether there is a tensor of that name.
    pub fn has(&self, name: &str) -> bool {
        self.0.tensor(name).is_ok()
    }

    /// Numbers of 32 bits, of that shape.
    pub fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Misshapen> {
        let tensor = self.tensor(name, Dtype::F32, shape)?;
        let (numbers, _) = tensor.data().as_chunks();
        Ok(numbers.iter().copied().map(f32::from_le_bytes).collect())
    }

    /// Numbers of eight bits, as they stand in the file.
    pub fn bytes(&self, name: &str, shape: &[usize]) -> Result<&'f [u8], Misshapen> {
        Ok(self.tensor(name, Dtype::I8, shape)?.data())
    }

    /// The product of that name in eight bits, from `rows` to `columns` numbers.
    pub fn int8_linear(&self, name: &str, [rows, columns]: [usize; 2]) -> Result<Int8Linear, Misshapen> {
        let bytes = self.bytes(&format!("{name}.weight"), &[rows, columns])?;
        let signed: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
        let matrix = NdTensorView::from_data([rows, columns], signed.as_slice());
        let of_columns = |part| self.floats(&format!("{name}.{part}"), &[columns]);
        Ok(Int8Linear::new(matrix, of_columns("scales")?, of_columns("bias")?))
    }

    /// The product of that name in 32 bits, from `rows` to `columns` numbers.
    pub fn dense_linear(&self, name: &str, [rows, columns]: [usize; 2]) -> Result<DenseLinear, Misshapen> {
        let floats = self.floats(&format!("{name}.weight"), &[rows, columns])?;
        let matrix = NdTensorView::from_data([rows, columns], floats.as_slice());
        Ok(DenseLinear::new(matrix, self.floats(&format!("{name}.bias"), &[columns])?))
    }

    fn tensor(&self, name: &str, kind: Dtype, shape: &[usize]) -> Result<TensorView<'f>, Misshapen> {
        let tensor = self.0.tensor(name)?;
        if tensor.dtype() == kind && tensor.shape() == shape {
            return Ok(tensor);
        }
        Err(Misshapen::Tensor {
            name: name.to_owned(),
            found: format!("{:?} {:?}", tensor.dtype(), tensor.shape()),
            expected: format!("{kind:?} {shape:?}"),
        })
    }
}

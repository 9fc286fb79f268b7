//! The values that a method's parameters have, field by field, read from its struct.
//!
//! JSON has no word for NaN and the infinities, and would turn them into null; here they stay what they are, so that
//! they can be refused.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, SerializeStruct, Serializer};
use serde_json::Value;
use std::fmt;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    Null,
    Flag(bool),
    Whole(u64),
    Real(f64),
    Word(String),
    /// The fields of a struct.
    Fields(Vec<(&'static str, Self)>),
    /// A list or a table, which no parameter of the library is.
    Other,
}

impl Given {
    /// The fields of a method's struct, in order; none where it has other parts than these values.
    pub(super) fn fields(method: &impl Serialize) -> Vec<(&'static str, Self)> {
        match method.serialize(Reader) {
            Ok(Self::Fields(fields)) => fields,
            _ => Vec::new(),
        }
    }

    /// The number, where it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<&Value> for Given {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Flag(*value),
            Value::Number(number) => match number.as_u64() {
                Some(value) => Self::Whole(value),
                None => Self::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(word) => Self::Word(word.clone()),
            Value::Array(_) | Value::Object(_) => Self::Other,
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Word(word) => f.write_str(word),
            Self::Fields(_) | Self::Other => f.write_str("a list or a table"),
        }
    }
}

/// Reads one value.
struct Reader;

/// Methods of a [`Serializer`] that turn one type into one kind of value.
macro_rules! read {
    ($($method:ident($type:ty) => |$value:ident| $given:expr;)*) => {
        $(fn $method(self, $value: $type) -> Result<Given, fmt::Error> { Ok($given) })*
    };
}

/// A signed number: whole where it is none below zero.
fn signed(value: i64) -> Given {
    u64::try_from(value).map_or(Given::Real(value as f64), Given::Whole)
}

impl Serializer for Reader {
    type Ok = Given;
    type Error = fmt::Error;
    type SerializeSeq = Impossible<Given, fmt::Error>;
    type SerializeTuple = Impossible<Given, fmt::Error>;
    type SerializeTupleStruct = Impossible<Given, fmt::Error>;
    type SerializeTupleVariant = Impossible<Given, fmt::Error>;
    type SerializeMap = Impossible<Given, fmt::Error>;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Impossible<Given, fmt::Error>;

    read! {
        serialize_bool(bool) => |value| Given::Flag(value);
        serialize_i8(i8) => |value| signed(value.into());
        serialize_i16(i16) => |value| signed(value.into());
        serialize_i32(i32) => |value| signed(value.into());
        serialize_i64(i64) => |value| signed(value);
        serialize_u8(u8) => |value| Given::Whole(value.into());
        serialize_u16(u16) => |value| Given::Whole(value.into());
        serialize_u32(u32) => |value| Given::Whole(value.into());
        serialize_u64(u64) => |value| Given::Whole(value);
        serialize_f32(f32) => |value| Given::Real(value.into());
        serialize_f64(f64) => |value| Given::Real(value);
        serialize_char(char) => |value| Given::Word(value.into());
        serialize_str(&str) => |value| Given::Word(value.to_owned());
        serialize_bytes(&[u8]) => |_value| Given::Other;
        serialize_unit_struct(&'static str) => |_name| Given::Null;
    }

    fn serialize_none(self) -> Result<Given, fmt::Error> {
        Ok(Given::Null)
    }

    fn serialize_unit(self) -> Result<Given, fmt::Error> {
        Ok(Given::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Given, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Given, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Given, fmt::Error> {
        Ok(Given::Word(variant.to_owned()))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Given, fmt::Error> {
        Ok(Given::Other)
    }

    fn serialize_struct(self, _: &'static str, count: usize) -> Result<Fields, fmt::Error> {
        Ok(Fields(Vec::with_capacity(count)))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, fmt::Error> {
        Err(fmt::Error::custom("a list"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, fmt::Error> {
        Err(fmt::Error::custom("a tuple"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, fmt::Error> {
        Err(fmt::Error::custom("a tuple"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, fmt::Error> {
        Err(fmt::Error::custom("a tuple"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, fmt::Error> {
        Err(fmt::Error::custom("a table"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, fmt::Error> {
        Err(fmt::Error::custom("a table"))
    }
}

/// The fields of a struct as they are read; one that cannot be read is [`Given::Other`].
struct Fields(Vec<(&'static str, Given)>);

impl SerializeStruct for Fields {
    type Ok = Given;
    type Error = fmt::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), fmt::Error> {
        self.0.push((name, value.serialize(Reader).unwrap_or(Given::Other)));
        Ok(())
    }

    fn end(self) -> Result<Given, fmt::Error> {
        Ok(Given::Fields(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Method {
        share: f64,
        width: Option<f64>,
        count: usize,
        list: Vec<u8>,
    }

    #[test]
    fn numbers_that_json_cannot_write_stay_numbers() {
        let method = Method { share: f64::INFINITY, width: Some(f64::NAN), count: 3, list: vec![1] };
        let fields = Given::fields(&method);
        assert_eq!(fields[0], ("share", Given::Real(f64::INFINITY)));
        assert!(matches!(fields[1].1, Given::Real(value) if value.is_nan()));
        assert_eq!(fields[2..], [("count", Given::Whole(3)), ("list", Given::Other)]);
        assert_eq!(Given::fields(&Method { width: None, ..method })[1].1, Given::Null);
    }
}

//! Vectors of binary64.

pub type Triple = [f64; 3];

pub fn dot(a: &Triple, b: &Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: &Triple, b: &Triple) -> Triple {
    let term = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [term(1, 2), term(2, 0), term(0, 1)]
}

pub fn sum(a: &Triple, b: &Triple) -> Triple {
    std::array::from_fn(|k| a[k] + b[k])
}

pub fn difference(a: &Triple, b: &Triple) -> Triple {
    std::array::from_fn(|k| a[k] - b[k])
}

pub fn times(a: &Triple, by: f64) -> Triple {
    a.map(|x| x * by)
}

pub fn length(a: &Triple) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector; `None` of zero, and of what is not finite.
pub fn unit(vector: Triple) -> Option<Triple> {
    let largest = vector.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 || !vector.iter().all(|x| x.is_finite()) {
        return None;
    }
    let scaled = vector.map(|x| x / largest);
    let length = length(&scaled);
    Some(scaled.map(|x| x / length))
}

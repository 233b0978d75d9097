//! Certificates as JSON.

use serde::Deserialize;

use super::RecordError;
use super::enclosure;
use super::fields::{self, Fields, vector};
use super::write::{Object, array, number, numbers, vectors};
use crate::certificate::{Certificate, Cover, CoverNode, PMatrixProof};
use crate::number::Number;

pub(super) fn read(field: &str, raw: &str) -> Result<Certificate, RecordError> {
    read_fields(raw).map_err(|error| error.inside(field))
}

fn read_fields(raw: &str) -> Result<Certificate, RecordError> {
    let mut fields = Fields::of(raw)?;
    let kind: String = fields.require("kind")?;
    Ok(match kind.as_str() {
        "farkas" => Certificate::Farkas {
            y: vector(&mut fields, "y")?,
        },
        "cover" | "cone-cover" => Certificate::Cover(cover(&mut fields)?),
        "enumeration" => Certificate::Enumeration(cover(&mut fields)?),
        "symmetric-psd" => Certificate::SymmetricPsd,
        "p-matrix" => Certificate::PMatrix(p_matrix(&mut fields)?),
        "second-solution" => Certificate::SecondSolution {
            z: vector(&mut fields, "z")?,
        },
        "enclosure" => Certificate::Enclosure(Box::new(enclosure::read(&mut fields)?)),
        "cone-feasible" => Certificate::ConeFeasible {
            z: vector(&mut fields, "z")?,
        },
        "contraction" => Certificate::Contraction {
            h: vector(&mut fields, "h")?,
            theta: fields.require("theta")?,
        },
        other => {
            let problem = format!(
                "{other:?} is no kind of certificate; the kinds are farkas, cover, cone-cover, enumeration, symmetric-psd, p-matrix, second-solution, enclosure, cone-feasible and contraction"
            );
            return Err(RecordError::new("kind", problem));
        }
    })
}

fn p_matrix(fields: &mut Fields<'_>) -> Result<PMatrixProof, RecordError> {
    let proof: String = fields.require("proof")?;
    Ok(match proof.as_str() {
        "positive-definite" => PMatrixProof::PositiveDefinite,
        "principal-minors" => PMatrixProof::PrincipalMinors,
        "diagonally-dominant" => PMatrixProof::DiagonallyDominant {
            weights: vector(fields, "weights")?,
        },
        other => {
            let problem = format!(
                "{other:?} is no proof of a P-matrix; the proofs are positive-definite, diagonally-dominant and principal-minors"
            );
            return Err(RecordError::new("proof", problem));
        }
    })
}

/// A node as it stands in JSON: the fields present say which kind it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeToken {
    row: Option<usize>,
    z_zero: Option<usize>,
    w_zero: Option<usize>,
    cone: Option<usize>,
    open: Option<usize>,
    sticks: Option<usize>,
    slides: Option<Vec<([Number; 2], usize)>>,
    empty: Option<Vec<Number>>,
    point: Option<PointToken>,
    face: Option<FaceToken>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointToken {
    y: Vec<Number>,
    z: Vec<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaceToken {
    vertices: Vec<Vec<Number>>,
    rays: Vec<Vec<Number>>,
}

fn cover(fields: &mut Fields<'_>) -> Result<Cover, RecordError> {
    let raw = fields
        .take_raw("nodes")
        .ok_or_else(|| RecordError::new("nodes", "the field is missing"))?;
    let tokens: Vec<NodeToken> = fields::parse("nodes", raw)?;
    let nodes = tokens.into_iter().enumerate().map(|(k, token)| {
        node(token).ok_or_else(|| {
            let problem = "a node is one of {row, z_zero, w_zero}, {cone, open, sticks, slides}, {cone, slides}, {empty}, {point} and {face}";
            RecordError::new(format!("nodes[{k}]"), problem)
        })
    });
    Ok(Cover {
        nodes: nodes.collect::<Result<_, _>>()?,
    })
}

fn node(token: NodeToken) -> Option<CoverNode> {
    let branch = (token.row, token.z_zero, token.w_zero);
    let contact = (token.cone, token.open, token.sticks, token.slides);
    let leaf = (token.empty, token.point, token.face);
    Some(match (branch, contact, leaf) {
        ((Some(row), Some(z_zero), Some(w_zero)), (None, None, None, None), (None, None, None)) => {
            CoverNode::Branch {
                row,
                z_zero,
                w_zero,
            }
        }
        ((None, None, None), (Some(cone), open, sticks, Some(slides)), (None, None, None)) => {
            CoverNode::Contact {
                cone,
                others: match (open, sticks) {
                    (Some(open), Some(sticks)) => Some([open, sticks]),
                    (None, None) => None,
                    _ => return None,
                },
                slides,
            }
        }
        ((None, None, None), (None, None, None, None), (Some(y), None, None)) => {
            CoverNode::Empty { y }
        }
        ((None, None, None), (None, None, None, None), (None, Some(point), None)) => {
            CoverNode::Point {
                y: point.y,
                z: point.z,
            }
        }
        ((None, None, None), (None, None, None, None), (None, None, Some(face))) => {
            CoverNode::Face {
                vertices: face.vertices,
                rays: face.rays,
            }
        }
        _ => return None,
    })
}

pub(super) fn write(certificate: &Certificate) -> String {
    let mut object = Object::compact();
    match certificate {
        Certificate::Farkas { y } => {
            object.text("kind", "farkas");
            object.numbers("y", y);
        }
        Certificate::Cover(cover) => {
            let contact = |node: &CoverNode| matches!(node, CoverNode::Contact { .. });
            let of_cones = cover.nodes.iter().any(contact);
            object.text("kind", if of_cones { "cone-cover" } else { "cover" });
            object.raw("nodes", write_nodes(cover));
        }
        Certificate::Enumeration(cover) => {
            object.text("kind", "enumeration");
            object.raw("nodes", write_nodes(cover));
        }
        Certificate::SymmetricPsd => object.text("kind", "symmetric-psd"),
        Certificate::PMatrix(proof) => {
            object.text("kind", "p-matrix");
            match proof {
                PMatrixProof::PositiveDefinite => object.text("proof", "positive-definite"),
                PMatrixProof::PrincipalMinors => object.text("proof", "principal-minors"),
                PMatrixProof::DiagonallyDominant { weights } => {
                    object.text("proof", "diagonally-dominant");
                    object.numbers("weights", weights);
                }
            }
        }
        Certificate::SecondSolution { z } => {
            object.text("kind", "second-solution");
            object.numbers("z", z);
        }
        Certificate::Enclosure(own) => {
            object.text("kind", "enclosure");
            enclosure::write(own, &mut object);
        }
        Certificate::ConeFeasible { z } => {
            object.text("kind", "cone-feasible");
            object.numbers("z", z);
        }
        Certificate::Contraction { h, theta } => {
            object.text("kind", "contraction");
            object.numbers("h", h);
            object.raw("theta", number(theta));
        }
    }
    object.finish()
}

fn write_nodes(cover: &Cover) -> String {
    array(cover.nodes.iter().map(|node| match node {
        CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } => {
            format!("{{\"row\":{row},\"z_zero\":{z_zero},\"w_zero\":{w_zero}}}")
        }
        CoverNode::Contact {
            cone,
            others,
            slides,
        } => {
            let slides = slides
                .iter()
                .map(|(start, node)| format!("[{},{node}]", numbers(start)));
            let others =
                others.map(|[open, sticks]| format!(",\"open\":{open},\"sticks\":{sticks}"));
            let (others, slides) = (others.unwrap_or_default(), array(slides));
            format!("{{\"cone\":{cone}{others},\"slides\":{slides}}}")
        }
        CoverNode::Empty { y } => format!("{{\"empty\":{}}}", numbers(y)),
        CoverNode::Point { y, z } => {
            let (y, z) = (numbers(y), numbers(z));
            format!("{{\"point\":{{\"y\":{y},\"z\":{z}}}}}")
        }
        CoverNode::Face { vertices, rays } => {
            let (vertices, rays) = (vectors(vertices), vectors(rays));
            format!("{{\"face\":{{\"vertices\":{vertices},\"rays\":{rays}}}}}")
        }
    }))
}

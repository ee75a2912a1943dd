//! Flags near-duplicates of a stream with gaoya: query, then insert what is kept.
//!
//!   gaoya-peer INPUT FLAGS BANDS ROWS     sketches have BANDS × ROWS values
//!
//! Batches of lines are parsed, shingled and sketched by all threads of rayon (RAYON_NUM_THREADS) while the
//! batch before goes through the index in the order of the file.
use std::borrow::Cow;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use ahash::RandomState;
use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32, VecContainer};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const THRESHOLD: f64 = 0.8;
const SHINGLE_WORDS: usize = 5;
const BATCH_LINES: usize = 512;

type Signature = Vec<u32>;
type Index = MinHashIndex<u32, u32, VecContainer<u32>>;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Serialize)]
struct Flag<'a> {
    id: &'a str,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
}

/// None for a text without words: it is never compared.
fn sketch(text: &str, hasher: &MinHasher32<RandomState>) -> Option<Signature> {
    let lower = text.to_lowercase();
    let mut joined = String::with_capacity(lower.len() + 1);
    let mut ends = Vec::with_capacity(lower.len() / 6);
    for word in lower.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        if !word.is_empty() {
            joined.push_str(word);
            ends.push(joined.len());
            joined.push(' ');
        }
    }
    let first_end = SHINGLE_WORDS.min(ends.len()).checked_sub(1)?;
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    Some(
        hasher.create_signature(
            starts
                .zip(&ends[first_end..])
                .map(|(start, &end)| &joined[start..end]),
        ),
    )
}

fn read_batch(input: &mut impl BufRead) -> io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::with_capacity(BATCH_LINES);
    while lines.len() < BATCH_LINES {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        lines.push(line);
    }
    Ok(lines)
}

fn prepare(
    lines: Vec<Vec<u8>>,
    hasher: &MinHasher32<RandomState>,
) -> Vec<(String, Option<Signature>)> {
    lines
        .into_par_iter()
        .map(|line| {
            let document: Document = serde_json::from_slice(&line).expect("a document");
            let signature = sketch(&document.text, hasher);
            (document.id.into_owned(), signature)
        })
        .collect()
}

struct Stream<Out: Write> {
    index: Index,
    kept: Vec<String>,
    flags: Out,
}

impl<Out: Write> Stream<Out> {
    /// The most similar kept document that reaches the threshold; ties go to the earlier one.
    fn original(&self, signature: &Signature) -> Option<(u32, f64)> {
        let found = self.index.query_owned_return_similarity(signature);
        let best = found.first()?.1;
        let earliest = found
            .iter()
            .take_while(|(_, similarity)| *similarity == best)
            .map(|(key, _)| *key)
            .min()?;
        Some((earliest, best))
    }

    fn flag(&mut self, id: String, signature: Option<Signature>) -> io::Result<()> {
        let original = signature
            .as_ref()
            .and_then(|signature| self.original(signature));
        let flag = Flag {
            id: &id,
            status: if original.is_some() {
                "near_duplicate"
            } else {
                "unique"
            },
            duplicate_of: original.map(|(key, _)| self.kept[key as usize].as_str()),
            similarity: original.map(|(_, similarity)| similarity),
        };
        serde_json::to_writer(&mut self.flags, &flag)?;
        self.flags.write_all(b"\n")?;
        if let (None, Some(signature)) = (original, signature) {
            self.index.insert(self.kept.len() as u32, signature);
            self.kept.push(id);
        }
        Ok(())
    }
}

fn memory_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let [_, input, flags, bands, rows] = arguments.as_slice() else {
        eprintln!("usage: gaoya-peer INPUT FLAGS BANDS ROWS");
        std::process::exit(64);
    };
    let (bands, rows): (usize, usize) =
        (bands.parse().expect("BANDS"), rows.parse().expect("ROWS"));
    let hasher = MinHasher32::new_with_hasher(bands * rows, RandomState::with_seeds(1, 2, 3, 4));
    let mut input = BufReader::with_capacity(1 << 20, File::open(input)?);
    let mut stream = Stream {
        index: Index::new_index(bands, rows, THRESHOLD),
        kept: Vec::new(),
        flags: BufWriter::new(File::create(flags)?),
    };
    let memory_before = memory_bytes();
    let mut ready = prepare(read_batch(&mut input)?, &hasher);
    while !ready.is_empty() {
        let (next, flagged) = rayon::join(
            || read_batch(&mut input).map(|lines| prepare(lines, &hasher)),
            || {
                ready
                    .drain(..)
                    .try_for_each(|(id, signature)| stream.flag(id, signature))
            },
        );
        flagged?;
        ready = next?;
    }
    stream.flags.flush()?;
    println!(
        "{{\"memory_grown\":{}}}",
        memory_bytes().saturating_sub(memory_before)
    );
    Ok(())
}

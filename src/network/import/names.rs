//! Names of tensors: which layer and which part of it, and in which order the layers follow.

use std::collections::BTreeMap;

/// What wrappers put in front of the names: DataParallel, torch.compile, a model kept in a field.
const WRAPPERS: [&str; 3] = ["module.", "_orig_mod.", "model."];

/// Words that say nothing about the place of a layer.
const NEUTRAL: [&str; 15] = [
    "layer",
    "layers",
    "linear",
    "linears",
    "lin",
    "fc",
    "fcs",
    "dense",
    "net",
    "network",
    "mlp",
    "proj",
    "projection",
    "affine",
    "l",
];
const FIRST: [&str; 6] = ["in", "input", "inputs", "inp", "first", "start"];
const HIDDEN: [&str; 6] = ["hidden", "hid", "mid", "middle", "body", "h"];
const LAST: [&str; 8] = ["out", "output", "outputs", "head", "last", "final", "end", "readout"];
/// Lists whose members stand side by side rather than one behind the other.
const PARALLEL: [&str; 13] = [
    "heads", "experts", "branches", "towers", "gates", "members", "ensemble", "models", "nets", "networks", "actors",
    "critics", "trunks",
];

/// The part of a layer that a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Weight,
    Bias,
    /// g of weight norm.
    Gain,
    /// v of weight norm.
    Direction,
}

/// Layer and part, when the tensor's name is one that a dense layer uses.
pub(super) fn part(name: &str) -> Option<(&str, Part)> {
    const LEAVES: [(&str, Part); 6] = [
        ("weight", Part::Weight),
        ("bias", Part::Bias),
        ("weight_g", Part::Gain),
        ("weight_v", Part::Direction),
        ("parametrizations.weight.original0", Part::Gain),
        ("parametrizations.weight.original1", Part::Direction),
    ];
    LEAVES.iter().find_map(|(leaf, part)| {
        let before = name.strip_suffix(leaf)?;
        // A bare nn.Linear has the keys `weight` and `bias`: a layer without a name.
        let layer = if before.is_empty() { before } else { before.strip_suffix('.')? };
        Some((layer, *part))
    })
}

/// Takes the prefixes of wrappers away, however many there are.
pub(super) fn without_wrappers(name: &str) -> &str {
    let mut rest = name;
    while let Some(shorter) = WRAPPERS.iter().find_map(|wrapper| rest.strip_prefix(wrapper)) {
        rest = shorter;
    }
    rest
}

/// The words of a name in small letters: `hidden_layers.0` and `hiddenLayers` both give hidden, layers.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut small_before = false;
    for letter in name.chars() {
        let starts_word = letter.is_uppercase() && small_before;
        if (starts_word || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        small_before = letter.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A name cut into texts and the numbers between them: `layers.10.linear` is `layers.` 10 `.linear`.
///
/// There is always one text more than there are numbers.
struct Pieces<'a> {
    texts: Vec<&'a str>,
    numbers: Vec<Number>,
}

#[derive(Clone, Copy)]
struct Number {
    value: u64,
    /// Where its digits begin in the name.
    start: usize,
}

impl<'a> Pieces<'a> {
    fn of(name: &'a str) -> Self {
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        let mut text_start = 0;
        let mut position = 0;
        let is_digit = |letter: char| letter.is_ascii_digit();
        while let Some(found) = name[position..].find(is_digit) {
            let start = position + found;
            let end = name[start..].find(|letter| !is_digit(letter)).map_or(name.len(), |length| start + length);
            // Digits too many for a number stay text.
            if let Ok(value) = name[start..end].parse() {
                texts.push(&name[text_start..start]);
                numbers.push(Number { value, start });
                text_start = end;
            }
            position = end;
        }
        texts.push(&name[text_start..]);
        Self { texts, numbers }
    }
}

/// Layers counted by one number, such as `net.0`, `net.2`.
pub(super) struct Numbered<'a> {
    /// The name up to the number, without wrappers.
    pub prefix: &'a str,
    /// The numbers, rising.
    pub numbers: Vec<u64>,
}

impl Numbered<'_> {
    /// What is odd about the numbers, if anything.
    ///
    /// In `net.0`, `net.2`, `net.4` activations stand between the layers; `fc1`, `fc2` and `linears.0`, `linears.1`
    /// count nothing but layers.
    pub fn gap(&self) -> Option<String> {
        const COUNTED: [&str; 6] = ["linear", "linears", "lin", "fc", "fcs", "dense"];
        let is_list = self.prefix.is_empty() || self.prefix.ends_with('.');
        let counts_layers = !is_list || words(self.prefix).last().is_some_and(|word| COUNTED.contains(&word.as_str()));
        // Lists count from 0, names from 0 or 1.
        let first = self.numbers.first()?;
        if *first > u64::from(!is_list) {
            return Some(format!("start at {first}"));
        }
        let mut steps = self.numbers.windows(2).map(|pair| (pair[0], pair[1]));
        let step = match counts_layers {
            true => 1,
            false => steps.clone().map(|(low, high)| high - low).min()?,
        };
        steps.find(|(low, high)| high - low != step).map(|(low, high)| format!("jump from {low} to {high}"))
    }
}

/// The order of the layers.
pub(super) struct Order<'a> {
    /// Positions in the list of names.
    pub positions: Vec<usize>,
    /// Which of them are counted.
    pub numbered: Vec<Numbered<'a>>,
}

/// Layers that belong together: counted by one number, or one by itself.
struct Family<'a> {
    positions: Vec<usize>,
    numbered: Option<Numbered<'a>>,
}

/// Where a family stands in the chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    First,
    Middle,
    Last,
}

/// Orders layers by the numbers in their names (10 after 2) and by words such as input and output.
///
/// `names`: the layers without wrappers. `None`: the names leave a doubt.
pub(super) fn order<'a>(names: &[&'a str]) -> Option<Order<'a>> {
    let mut families = families(names)?;
    if families.len() > 1 {
        let common = common_parent(names);
        let mut placed = Vec::new();
        for family in families {
            placed.push((place(names, common, &family)?, family));
        }
        placed.sort_by_key(|(place, _)| *place);
        if placed.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        families = placed.into_iter().map(|(_, family)| family).collect();
    }
    let positions = families.iter().flat_map(|family| family.positions.iter().copied()).collect();
    let numbered = families.into_iter().filter_map(|family| family.numbered).collect();
    Some(Order { positions, numbered })
}

/// Groups by the text before the first number that differs; `None` when a number comes twice (nested layers) or the name
/// speaks of things side by side.
fn families<'a>(names: &[&'a str]) -> Option<Vec<Family<'a>>> {
    let pieces: Vec<Pieces> = names.iter().map(|name| Pieces::of(name)).collect();
    let mut families = Vec::new();
    // Groups whose names agree in the first `depth` texts and numbers. A list, not recursion: names may be very long.
    let mut open = vec![((0..names.len()).collect::<Vec<usize>>(), 0)];
    while let Some((group, depth)) = open.pop() {
        let mut by_text: BTreeMap<(&str, bool), Vec<usize>> = BTreeMap::new();
        for position in group {
            let Pieces { texts, numbers } = &pieces[position];
            let key = (texts[depth], numbers.len() > depth);
            by_text.entry(key).or_default().push(position);
        }
        for ((_, has_number), mut members) in by_text {
            if !has_number {
                // Two names that are equal once the wrappers are gone are two networks.
                if members.len() > 1 {
                    return None;
                }
                families.push(Family { positions: members, numbered: None });
                continue;
            }
            let number = |position: &usize| pieces[*position].numbers[depth].value;
            members.sort_by_key(number);
            let numbers: Vec<u64> = members.iter().map(number).collect();
            if members.len() > 1 && numbers.first() == numbers.last() {
                open.push((members, depth + 1));
            } else if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            } else {
                let first = members[0];
                let prefix = &names[first][..pieces[first].numbers[depth].start];
                let last_word = words(prefix).pop().unwrap_or_default();
                if members.len() > 1 && PARALLEL.contains(&last_word.as_str()) {
                    return None;
                }
                families.push(Family { positions: members, numbered: Some(Numbered { prefix, numbers }) });
            }
        }
    }
    Some(families)
}

/// The length of the path (with its last dot) that all names share.
fn common_parent(names: &[&str]) -> usize {
    let parent = |name: &str| name.rfind('.').map_or(0, |dot| dot + 1);
    let Some((first, others)) = names.split_first() else {
        return 0;
    };
    let mut common = parent(first);
    for name in others {
        let equal = first
            .bytes()
            .zip(name.bytes())
            .take(common.min(parent(name)))
            .take_while(|(left, right)| left == right)
            .count();
        common = first.as_bytes()[..equal].iter().rposition(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    }
    common
}

/// The place of a family among several; `None` when its name does not settle that.
fn place(names: &[&str], common: usize, family: &Family) -> Option<Place> {
    let name = match &family.numbered {
        Some(numbered) => numbered.prefix,
        None => names[*family.positions.first()?],
    };
    let words = words(name.get(common..).unwrap_or(name));
    let all_in =
        |known: &[&str]| words.iter().all(|word| NEUTRAL.contains(&word.as_str()) || known.contains(&word.as_str()));
    let several = family.positions.len() > 1;
    let neutral = all_in(&[]);
    match () {
        () if !neutral && all_in(&FIRST) => (!several).then_some(Place::First),
        () if !neutral && all_in(&LAST) => (!several).then_some(Place::Last),
        () if several || neutral || all_in(&HIDDEN) => Some(Place::Middle),
        () => None,
    }
}

/// The layers in groups that differ only in their last number, each as the positions of its members.
///
/// For messages about layers whose order is in doubt.
pub(super) fn groups(names: &[&str]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (position, name) in names.iter().enumerate() {
        let Pieces { texts, numbers } = Pieces::of(name);
        let mut numbers: Vec<u64> = numbers.iter().map(|number| number.value).collect();
        let last = numbers.pop();
        groups.entry((texts, numbers)).or_default().push((last, position));
    }
    groups
        .into_values()
        .map(|mut group| {
            group.sort_unstable();
            group.into_iter().map(|(_, position)| position).collect()
        })
        .collect()
}

//! Files that are something else: recognised by their first bytes, to say what to do with them.

/// What to do with a file that is not safetensors, from its first bytes (a few thousand are enough).
pub(super) fn advice(start: &[u8]) -> &'static str {
    let text = start.trim_ascii_start();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    if start.is_empty() {
        "it is empty, as an interrupted download leaves it: download it again"
    // Before the texts: the length 123 is an opening brace.
    } else if start.get(4..9) == Some(b"\0\0\0\0{") {
        "it starts like a safetensors file, so it is damaged or cut off inside its header: download or save it again"
    } else if start.starts_with(b"PK\x03\x04") {
        zip(start)
    } else if start.first() == Some(&0x80) && start.get(1).is_some_and(|version| *version <= 5) {
        "it is a Python pickle, as old versions of torch.save write it; nothing was unpickled. Convert it in Python: \
         state = torch.load(\"model.pt\", weights_only=True); \
         safetensors.torch.save_file(state, \"model.safetensors\")"
    } else if start.starts_with(b"\x89HDF\r\n\x1a\n") {
        "it is an HDF5 file (Keras writes .h5): copy the weights into a state_dict in Python, each kernel transposed to \
         [out, in], and write that with safetensors.torch.save_file"
    } else if start.starts_with(b"\x93NUMPY") {
        "it is a NumPy array (.npy): write the weights with safetensors.numpy.save_file under the names \
         0.weight, 0.bias, 2.weight, ..."
    } else if start.starts_with(b"GGUF") {
        "it is a GGUF file (llama.cpp): look for the same model as safetensors"
    } else if start.starts_with(b"\x1f\x8b") {
        "it is compressed with gzip: unpack it first (gunzip, or tar -xzf)"
    } else if begins("version https://git-lfs") {
        "it is a git-lfs pointer, a text that stands for the real file: fetch that with git lfs pull"
    } else if begins("<!doctype") || begins("<html") || begins("<?xml") {
        "it is a web page, perhaps the error message of a server: open it in an editor, and download the file again"
    } else if begins("{") || begins("[") {
        "it is JSON text, perhaps model.safetensors.index.json or the error message of a server: give the \
         .safetensors file itself"
    } else if start.iter().all(|byte| *byte == 0) {
        "it starts with nothing but zeros, as an interrupted download leaves it: download it again"
    } else if start.len() < 8 {
        "it is cut off, as an interrupted download leaves it: download or save it again"
    } else if is_text(start) {
        "it is a text file: open it in an editor to see what it says, and download or save the file again"
    } else {
        "save the state_dict in Python with safetensors.torch.save_file(model.state_dict(), \"model.safetensors\")"
    }
}

/// PyTorch, NumPy and Keras all use zip; the names inside tell them apart.
fn zip(start: &[u8]) -> &'static str {
    if contains(start, b".npy") {
        "it is a zip of NumPy arrays (.npz): write the weights with safetensors.numpy.save_file under the names \
         0.weight, 0.bias, 2.weight, ..."
    } else if contains(start, b".weights.h5") {
        "it is a Keras model (.keras): copy the weights into a state_dict in Python, each kernel transposed to \
         [out, in], and write that with safetensors.torch.save_file"
    } else if contains(start, b"data.pkl") {
        "it is a PyTorch zip/pickle file, as torch.save writes it; nothing was unpickled. Convert it in Python: \
         state = torch.load(\"model.pt\", weights_only=True); \
         safetensors.torch.save_file(state, \"model.safetensors\")"
    } else {
        "it is a zip file: if torch.save wrote it (a PyTorch zip/pickle file), convert it in Python: \
         state = torch.load(\"model.pt\", weights_only=True); \
         safetensors.torch.save_file(state, \"model.safetensors\"); else unpack it first"
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Text, where the last character may be cut.
fn is_text(start: &[u8]) -> bool {
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or(""),
        Err(_) => return false,
    };
    !valid.is_empty() && valid.chars().all(|letter| !letter.is_control() || letter.is_ascii_whitespace())
}

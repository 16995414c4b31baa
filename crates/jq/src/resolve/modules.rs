//! Imports: modules are loaded, their definitions get the names that the import gives them, and data becomes constants.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::ir::Constant;
use crate::modules;
use crate::modules::Modules;
use crate::program_error::Source;
use crate::resolve::Resolver;
use crate::resolve::constant;
use crate::resolve::scope::Function;
use crate::resolve::scope::Scope;
use crate::syntax::Fault;
use crate::syntax::ast::Definition;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Import;
use crate::syntax::ast::Module;
use crate::syntax::parse_module;

/// How deep modules may import each other.
const DEEPEST: usize = 64;

/// Metadata, which must be a constant object.
fn metadata(expr: &Expr) -> Result<Vec<(String, Constant)>, Fault> {
    match constant::of(expr) {
        Some(Constant::Object(members)) => Ok(members),
        Some(_) => Err(Fault::new("Module metadata must be an object", expr.span)),
        None => Err(Fault::new("Module metadata must be constant", expr.span)),
    }
}

/// The directories in the metadata of an import.
fn search_paths(metadata: &[(String, Constant)]) -> Vec<String> {
    let text = |constant: &Constant| match constant {
        Constant::String(path) => Some(path.clone()),
        _ => None,
    };
    match metadata.iter().rev().find(|(key, _)| key == "search") {
        Some((_, Constant::Array(paths))) => paths.iter().filter_map(text).collect(),
        Some((_, path)) => text(path).into_iter().collect(),
        None => Vec::new(),
    }
}

impl Resolver<'_> {
    /// Adds what a program or module imports to a scope.
    pub(super) fn imports(&mut self, module: &Module, scope: &Scope) -> Result<Scope, Fault> {
        if let Some(expr) = &module.metadata {
            metadata(expr)?;
        }
        let mut scope = scope.clone();
        for import in &module.imports {
            scope = self.import(import, scope)?;
        }
        Ok(scope)
    }

    fn import(&mut self, import: &Import, scope: Scope) -> Result<Scope, Fault> {
        let search = match &import.metadata {
            Some(expr) => search_paths(&metadata(expr)?),
            None => Vec::new(),
        };
        let importer = self.source.name.clone();
        let request = modules::Import {
            path: &import.path,
            is_data: import.is_data,
            search: &search,
            importer: importer.as_deref(),
        };
        let loaded = match &mut self.modules {
            Some(modules) => modules.load(request),
            None => Err(format!("module not found: {}", import.path)),
        };
        let loaded = loaded.map_err(|message| Fault::new(message, import.span))?;
        if import.is_data {
            return self.import_data(import, &loaded, &scope);
        }
        if self.loading.contains(&loaded.name) || self.loading.len() >= DEEPEST {
            let cycle = self.loading.join(" -> ");
            return Err(Fault::new(format!("module cycle: {cycle} -> {}", loaded.name), import.span)
                .help("a module cannot import one that imports it; put what both need in a third one"));
        }
        self.loading.push(loaded.name.clone());
        let source = Rc::new(Source { name: Some(loaded.name), text: loaded.text });
        let functions = self.within(&source, super::Resolver::module_functions);
        self.loading.pop();
        let mut scope = scope;
        for (function, at) in functions? {
            let name = &function.definition.name;
            let name = import.alias.as_ref().map_or_else(|| name.clone(), |alias| format!("{alias}::{name}"));
            scope = scope.imported(name, function, at);
        }
        Ok(scope)
    }

    /// The functions of the current source, each with the scope in which it is defined.
    fn module_functions(&mut self) -> Result<Vec<(Rc<Function>, Scope)>, Fault> {
        let source = Rc::clone(&self.source);
        let module = parse_module(&source.text)?;
        if let Some(main) = &module.main {
            return Err(Fault::new("library should only have function definitions, not a main expression", main.span));
        }
        let mut scope = self.imports(&module, &Scope::default())?;
        let mut functions = Vec::new();
        for definition in module.definitions {
            let function = Rc::new(Function::new(definition, &source));
            scope = scope.function(Rc::clone(&function), self.globals);
            functions.push((function, scope.clone()));
        }
        Ok(functions)
    }

    /// Adds the definitions of a file as if they stood before the program.
    pub(super) fn definitions_of(&mut self, name: &str, text: &str, scope: &Scope) -> Result<Scope, Fault> {
        let source = Rc::new(Source { name: Some(name.to_owned()), text: text.to_owned() });
        let functions = self.within(&source, super::Resolver::module_functions)?;
        let add = |scope: Scope, (function, at): (Rc<Function>, Scope)| {
            scope.imported(function.definition.name.clone(), function, at)
        };
        Ok(functions.into_iter().fold(scope.clone(), add))
    }

    fn import_data(&mut self, import: &Import, loaded: &modules::Imported, scope: &Scope) -> Result<Scope, Fault> {
        if let Err(error) = modules::read_documents(&loaded.text) {
            return Err(Fault::new(format!("{}: {error}", loaded.name), import.span));
        }
        let constant = self.constant(Constant::Documents(loaded.text.clone()));
        let Some(alias) = &import.alias else { return Ok(scope.clone()) };
        Ok(scope.constant(format!("{alias}::{alias}"), constant).constant(alias.clone(), constant))
    }
}

/// What the builtin `modulemeta` returns: the metadata of a module, its imports and its definitions.
pub(crate) fn describe(name: &str, modules: &mut dyn Modules) -> Result<Constant, String> {
    let import = modules::Import { path: name, is_data: false, search: &[], importer: None };
    let loaded = modules.load(import)?;
    let fault = |fault: Fault| {
        let source = Rc::new(Source { name: Some(loaded.name.clone()), text: loaded.text.clone() });
        fault.in_source(&source).into_error().to_string()
    };
    let module = parse_module(&loaded.text).map_err(fault)?;
    let mut members = match &module.metadata {
        Some(expr) => metadata(expr).map_err(fault)?,
        None => Vec::new(),
    };
    let mut dependencies = Vec::new();
    for import in &module.imports {
        let mut dependency = match &import.metadata {
            Some(expr) => metadata(expr).map_err(fault)?,
            None => Vec::new(),
        };
        let mut set = |key: &str, value| {
            dependency.retain(|(known, _)| known != key);
            dependency.push((key.to_owned(), value));
        };
        if let Some(alias) = &import.alias {
            set("as", Constant::String(alias.clone()));
        }
        set("is_data", Constant::Boolean(import.is_data));
        set("relpath", Constant::String(import.path.clone()));
        dependencies.push(Constant::Object(dependency));
    }
    let signature =
        |definition: &Rc<Definition>| Constant::String(format!("{}/{}", definition.name, definition.parameters.len()));
    members.push(("deps".to_owned(), Constant::Array(dependencies)));
    members.push(("defs".to_owned(), Constant::Array(module.definitions.iter().map(signature).collect())));
    Ok(Constant::Object(members))
}

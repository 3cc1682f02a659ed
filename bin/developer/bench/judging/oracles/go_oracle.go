// Go by go/types, as `go run go_oracle.go ROOT`: every name of the module's packages, with what it means. Needs the
// standard library alone: `go list` says which packages there are, and those of the module are checked from their sources.
// Out: JSON on standard output, as occurrences.py reads it; columns count bytes. Tests are left out.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

type checked struct {
	files []*ast.File
	types *types.Package
	info  *types.Info
}

type program struct {
	set      *token.FileSet
	listed   map[string]listed
	known    map[string]*checked
	compiled types.Importer
}

func (p *program) Import(path string) (*types.Package, error) {
	if each, ok := p.listed[path]; ok && each.Module != nil && each.Module.Main {
		return p.check(each).types, nil
	}
	return p.compiled.Import(path)
}

func (p *program) check(each listed) *checked {
	if known := p.known[each.ImportPath]; known != nil {
		return known
	}
	found := &checked{info: &types.Info{Uses: map[*ast.Ident]types.Object{}}}
	p.known[each.ImportPath] = found
	for _, name := range each.GoFiles {
		if file, err := parser.ParseFile(p.set, filepath.Join(each.Dir, name), nil, parser.SkipObjectResolution); err == nil {
			found.files = append(found.files, file)
		}
	}
	configuration := types.Config{Importer: p, Error: func(error) {}}
	found.types, _ = configuration.Check(each.ImportPath, p.set, found.files, found.info)
	return found
}

func main() {
	root, _ := filepath.EvalSymlinks(os.Args[1])
	command := exec.Command("go", "list", "-e", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module", "./...")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	p := &program{token.NewFileSet(), map[string]listed{}, map[string]*checked{}, nil}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var each listed
		if decoder.Decode(&each) != nil {
			break
		}
		p.listed[each.ImportPath] = each
	}
	p.compiled = importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(p.listed[path].Export)
	})
	targets := map[string][][3]any{}
	uses := [][5]any{}
	for _, each := range p.listed {
		if each.Module != nil && each.Module.Main {
			p.collect(root, p.check(each), targets, &uses)
		}
	}
	overrides := p.overrides(root, targets)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"columns": "bytes", "failed": []string{}, "targets": targets, "overrides": overrides, "occurrences": uses})
}

// The methods by which types of the module implement its interfaces.
func (p *program) overrides(root string, targets map[string][][3]any) [][2]string {
	found := [][2]string{}
	contracts, concrete := []*types.Named{}, []*types.Named{}
	for _, each := range p.known {
		for _, name := range each.types.Scope().Names() {
			object, ok := each.types.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			if named, ok := object.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
				if types.IsInterface(named) {
					contracts = append(contracts, named)
				} else {
					concrete = append(concrete, named)
				}
			}
		}
	}
	for _, contract := range contracts {
		wanted := contract.Underlying().(*types.Interface)
		for _, each := range concrete {
			if !types.Implements(types.NewPointer(each), wanted) {
				continue
			}
			for i := 0; i < wanted.NumMethods(); i++ {
				method := wanted.Method(i)
				object, _, _ := types.LookupFieldOrMethod(types.NewPointer(each), true, method.Pkg(), method.Name())
				if function, ok := object.(*types.Func); ok && function.Origin() != method {
					found = append(found, [2]string{p.keyOf(root, function.Origin(), targets), p.keyOf(root, method, targets)})
				}
			}
		}
	}
	return found
}

func (p *program) keyOf(root string, object types.Object, targets map[string][][3]any) string {
	defined := p.set.Position(object.Pos())
	key := fmt.Sprintf("%s %s:%d:%d", object.Pkg().Path(), defined.Filename, defined.Line, defined.Column)
	targets[key] = [][3]any{}
	if target, ok := inside(root, defined.Filename); ok {
		targets[key] = append(targets[key], [3]any{target, defined.Line, object.Name()})
	}
	return key
}

func inside(root, name string) (string, bool) {
	path, err := filepath.Rel(root, name)
	return filepath.ToSlash(path), err == nil && name != "" && !strings.HasPrefix(path, "..")
}

func (p *program) collect(root string, each *checked, targets map[string][][3]any, uses *[][5]any) {
	called := map[*ast.Ident]bool{}
	for _, file := range each.files {
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				if name := calleeOf(call.Fun); name != nil {
					called[name] = true
				}
			}
			return true
		})
	}
	for name, object := range each.info.Uses {
		at := p.set.Position(name.Pos())
		path, ok := inside(root, at.Filename)
		if !ok || object.Pkg() == nil || isLocal(object) {
			continue
		}
		kind := "references"
		if function, ok := object.(*types.Func); ok {
			object = function.Origin()
			if called[name] {
				kind = "calls"
			}
		}
		if variable, ok := object.(*types.Var); ok {
			object = variable.Origin()
		}
		*uses = append(*uses, [5]any{path, at.Line, at.Column, kind, p.keyOf(root, object, targets)})
	}
}

func calleeOf(callee ast.Expr) *ast.Ident {
	for {
		switch each := callee.(type) {
		case *ast.ParenExpr:
			callee = each.X
		case *ast.IndexExpr:
			callee = each.X
		case *ast.IndexListExpr:
			callee = each.X
		case *ast.SelectorExpr:
			return each.Sel
		case *ast.Ident:
			return each
		default:
			return nil
		}
	}
}

// A local, a parameter, and the name of an import are no symbols.
func isLocal(object types.Object) bool {
	switch each := object.(type) {
	case *types.Var:
		return !each.IsField() && each.Parent() != each.Pkg().Scope()
	case *types.PkgName, *types.Label:
		return true
	case *types.Const:
		return each.Parent() != each.Pkg().Scope()
	case *types.TypeName:
		_, isParameter := each.Type().(*types.TypeParam)
		return isParameter || each.Parent() != each.Pkg().Scope()
	}
	return false
}

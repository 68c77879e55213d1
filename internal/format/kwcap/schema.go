package kwcap

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"kernelwake/internal/lens"
)

//go:generate go run ./schemagen ../../../docs/formats/kernelwake-json.schema.json

// Schema returns the format as a JSON Schema, draft 2020-12, from the same
// shapes that the reader follows and from the lens registry. What a schema
// can't say (columns of equal length, times inside the window, digests of
// other members) only the reader checks.
func Schema() ([]byte, error) {
	root := maps.Clone(documentShape.describe)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "urn:kernelwake:capture:" + schemaVersion
	root["title"] = "Kernelwake JSON capture " + schemaVersion
	root["description"] = "Generated from the importer and the lens registry. No value is null: what is missing stands as an absence with its reason. The importer also refuses duplicate names, more than 16 levels, and integers beyond 2^53 - 1 that aren't written as strings."
	definitions := schema{"absent": gapShape.describe, "outcome": outcomeProperties()}
	conditions := []schema{{
		"if":   schema{"properties": schema{"synthetic": schema{"const": true}}, "required": []string{"synthetic"}},
		"then": schema{"required": []string{"synthetic_reason"}}, "else": schema{"properties": schema{"synthetic_reason": false}},
	}}
	for _, l := range lens.All {
		definitions["dimensions_"+string(l.ID)] = describeDimensions(l)
		definitions["outcome_"+string(l.ID)] = describeOutcome(l)
		then := schema{"properties": schema{
			"dimensions": schema{"$ref": "#/$defs/dimensions_" + string(l.ID)},
			"outcomes":   schema{"items": schema{"$ref": "#/$defs/outcome_" + string(l.ID)}},
		}}
		if l.ID != lens.Fleet {
			then["required"] = []string{"environment"}
		}
		conditions = append(conditions, schema{"if": schema{"properties": schema{"lens": schema{"const": l.ID}}, "required": []string{"lens"}}, "then": then})
	}
	properties := maps.Clone(root["properties"].(schema))
	properties["dimensions"] = schema{"type": "object", "description": "facts that two runs are held against each other by"}
	properties["outcomes"] = schema{"type": "array", "minItems": 1, "maxItems": mostOutcomes, "description": "what was measured"}
	root["properties"], root["allOf"], root["$defs"] = properties, conditions, definitions
	encoded, err := json.MarshalIndent(root, "", " ")
	if err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return append(encoded, '\n'), nil
}

// describeDimensions are the fields of a lens, each a value with its source or
// an absence.
func describeDimensions(l lens.Lens) schema {
	properties, needed := schema{}, []string{}
	for _, field := range l.Fields {
		value := anything.describe
		if of, ok := forms[field.Key]; ok {
			value = of.describe
		}
		about := field.Label
		if field.Unit != "" {
			about += ", in " + field.Unit
		}
		if field.Example != "" {
			about += "; such as " + field.Example
		}
		properties[field.Key] = schema{"description": about, "anyOf": []schema{dimensionOf(value), {"$ref": "#/$defs/absent"}}}
		if field.Required {
			needed = append(needed, field.Key)
		}
	}
	return schema{"type": "object", "properties": properties, "required": needed, "additionalProperties": false}
}

// dimensionOf is a dimension with a value.
func dimensionOf(value schema) schema {
	return schema{
		"type": "object", "additionalProperties": false, "required": []string{"v", "src"},
		"properties": schema{"v": value, "src": sourceShape.describe, "from": text(mostText).describe},
	}
}

// describeOutcome is an outcome of a lens: by its name its units and kinds, by
// its kind its members.
func describeOutcome(l lens.Lens) schema {
	rules := []schema{{"$ref": "#/$defs/outcome"}, {"if": schema{"required": []string{"absent"}}, "then": describeMembers([]string{"name", "unit", "absent"}, []string{"phase", "note"})}}
	for _, rule := range kindRules {
		members := describeMembers(append([]string{"name", "unit", "kind"}, rule.needed(l.ID)...), append([]string{"phase"}, rule.allowed()...))
		if rule.kind == lens.Total {
			members["properties"].(schema)["v"] = number.describe
		} else if slices.Contains(rule.needs, "v") {
			members["properties"].(schema)["v"] = schema{"type": "array"}
		}
		rules = append(rules, schema{"if": schema{"properties": schema{"kind": schema{"const": rule.kind}}, "required": []string{"kind"}}, "then": members})
	}
	var names []string
	for _, def := range l.Outcomes {
		names = append(names, def.Name)
		units := def.Accepts
		if !slices.ContainsFunc(def.Kinds, func(kind lens.Kind) bool { return kind != lens.Spells && kind != lens.Intervals }) {
			units = []string{def.Unit} // their times are in one unit
		}
		rules = append(rules, schema{
			"if":   schema{"properties": schema{"name": schema{"const": def.Name}}, "required": []string{"name"}},
			"then": schema{"description": def.Meaning, "properties": schema{"unit": schema{"enum": units}, "kind": schema{"enum": def.Kinds}}},
		})
	}
	return schema{
		"type": "object", "required": []string{"name", "unit"}, "anyOf": []schema{{"required": []string{"kind"}}, {"required": []string{"absent"}}},
		"properties": schema{"name": schema{"anyOf": []schema{{"enum": names}, {"type": "string", "pattern": ownName.String()}}}},
		"allOf":      rules,
	}
}

// describeMembers are the named members of an outcome and no others; what they
// look like stands once, in outcomeProperties.
func describeMembers(needed, allowed []string) schema {
	properties := schema{}
	for _, name := range append(slices.Clone(needed), allowed...) {
		properties[name] = true
	}
	return schema{"properties": properties, "required": needed, "additionalProperties": false}
}

// outcomeProperties are the members of outcomes of every kind.
func outcomeProperties() schema {
	properties := schema{}
	for _, one := range outcomeMembers {
		described := maps.Clone(one.describe)
		described["description"] = one.about
		properties[one.name] = described
	}
	return schema{"properties": properties}
}
